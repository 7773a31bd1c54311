import type { HookedAgent } from './places.js';

/** One entry of a hooks file: which tools it is for, and what runs. */
export type HookGroup = { readonly event: string; readonly group: Readonly<Record<string, unknown>> };

/** `strict`: Claude Code keeps an edit from running when we cannot be asked. */
export type Strictness = 'lenient' | 'strict';

/** Far beyond what a hook allows itself; it only ends one that hangs. */
const LIMIT_SECONDS = 10;
const EDITS = 'Edit|MultiEdit|Write|NotebookEdit';
const OTHERS = 'Read|Bash|PowerShell|mcp__.*';

/** `command` makes the line that is run for an event. */
export function hookGroups(
  agent: HookedAgent,
  command: (event: string, ...options: readonly string[]) => string,
  strictness: Strictness,
): readonly HookGroup[] {
  const plain = (events: readonly string[]): readonly HookGroup[] =>
    events.map((event) => ({
      event,
      group: { hooks: [{ type: 'command', command: command(event), timeout: LIMIT_SECONDS }] },
    }));
  const matching = (event: string, matcher: string): HookGroup => ({
    event,
    group: { matcher, hooks: [{ type: 'command', command: command(event), timeout: LIMIT_SECONDS }] },
  });
  switch (agent) {
    case 'claude':
      return [
        ...plain(['SessionStart', 'UserPromptSubmit']),
        ...(strictness === 'strict'
          ? [strictGroup(command('PreToolUse', '--strict')), matching('PreToolUse', OTHERS)]
          : [matching('PreToolUse', `${EDITS}|${OTHERS}`)]),
        matching('PostToolUse', `${EDITS}|${OTHERS}`),
        matching('PostToolUseFailure', `${EDITS}|${OTHERS}`),
        ...plain(['SubagentStop', 'Stop', 'SessionEnd']),
      ];
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

function strictGroup(command: string): HookGroup {
  const hook = { type: 'command', command, timeout: LIMIT_SECONDS, onFailure: 'block' };
  return { event: 'PreToolUse', group: { matcher: EDITS, hooks: [hook] } };
}
