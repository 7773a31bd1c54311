import { AUTHORIZATION, bearer, ENDPOINTS, pathOf } from '@palimpsest/protocol/light';
import type { HookDoor } from '../../daemon/hook-door.js';
import type { HookedAgent } from './places.js';

/** One entry of a hooks file: which tools it is for, and what runs. */
export type HookGroup = { readonly event: string; readonly group: Readonly<Record<string, unknown>> };

/** `strict`: Claude Code keeps an edit from running when we cannot be asked. */
export type Strictness = 'lenient' | 'strict';

/** How a hook is carried out at an event; `options` are for the program that is run. */
type HookMaker = (event: string, ...options: readonly string[]) => Readonly<Record<string, unknown>>;

/** Far beyond what a hook allows itself; it only ends one that hangs. */
const LIMIT_SECONDS = 10;
/** A request has nobody else who would end it. */
const REQUEST_SECONDS = 2;
const EDITS = 'Edit|MultiEdit|Write|NotebookEdit';
const OTHERS = 'Read|Bash|PowerShell|mcp__.*';

/** `command` makes the line that is run for an event; where there is a door, Claude Code asks there about its tools. */
export function hookGroups(
  agent: HookedAgent,
  command: (event: string, ...options: readonly string[]) => string,
  strictness: Strictness,
  door: HookDoor | null = null,
): readonly HookGroup[] {
  const run: HookMaker = (event, ...options) => ({
    type: 'command',
    command: command(event, ...options),
    timeout: LIMIT_SECONDS,
  });
  const plain = (events: readonly string[]): readonly HookGroup[] =>
    events.map((event) => ({ event, group: { hooks: [run(event)] } }));
  const matching = (event: string, matcher: string, hook = run(event)): HookGroup => ({
    event,
    group: { matcher, hooks: [hook] },
  });
  switch (agent) {
    case 'claude': {
      const ask: HookMaker = door === null ? run : (event) => request(door, event);
      return [
        // Only a command can start the daemon, or find out that somebody else has its port.
        ...plain(['SessionStart', 'UserPromptSubmit']),
        ...(strictness === 'strict'
          ? [
              matching('PreToolUse', EDITS, { ...ask('PreToolUse', '--strict'), onFailure: 'block' }),
              matching('PreToolUse', OTHERS, ask('PreToolUse')),
            ]
          : [matching('PreToolUse', `${EDITS}|${OTHERS}`, ask('PreToolUse'))]),
        matching('PostToolUse', `${EDITS}|${OTHERS}`, ask('PostToolUse')),
        matching('PostToolUseFailure', `${EDITS}|${OTHERS}`, ask('PostToolUseFailure')),
        ...plain(['SubagentStop', 'Stop', 'SessionEnd']),
      ];
    }
    case 'codex':
      return [
        ...plain(['SessionStart', 'UserPromptSubmit']),
        matching('PreToolUse', '*'),
        matching('PostToolUse', '*'),
        ...plain(['Stop', 'SessionEnd']),
      ];
    case 'gemini':
      return GEMINI_EVENTS.map((event) => ({
        event,
        group: {
          ...(event.endsWith('Tool') ? { matcher: '.*' } : {}),
          hooks: [{ type: 'command', name: 'palimpsest', command: command(event), timeout: LIMIT_SECONDS * 1000 }],
        },
      }));
  }
}

const GEMINI_EVENTS = ['SessionStart', 'BeforeAgent', 'BeforeTool', 'AfterTool', 'AfterAgent', 'SessionEnd'];

function request({ port, token }: HookDoor, event: string): Readonly<Record<string, unknown>> {
  const path = pathOf(ENDPOINTS.takeHttpHook, { event });
  return {
    type: 'http',
    url: `http://127.0.0.1:${port}${path}`,
    headers: { [AUTHORIZATION]: bearer(token) },
    timeout: REQUEST_SECONDS,
  };
}
