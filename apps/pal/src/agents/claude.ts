import { AUTHORIZATION, bearer, ENDPOINTS, pathOf } from '@palimpsest/protocol/light';
import type { HookAddress } from '../link/hook-address.js';
import type { Agent } from './agent.js';
import { claudeAnswer } from './answers.js';
import { callOf, placeOf, sessionEvent } from './claude-dialect.js';
import { claudeTranscript } from './claude-transcript.js';
import { folderIn } from './folder.js';
import type { HookEvent, ToolCall } from './hook-event.js';
import { type HookMaker, hooksFile, matchingGroup, PROGRAM_WAITS, plainGroups, programHook } from './hook-groups.js';
import { outputText, type Payload, payloadOf, shownLines, textAt } from './payload.js';
import type { HookGroup, Target, Wiring } from './target.js';

/**
 * Claude Code. Subagents share the session and carry an id of their own; its own refusals fire no hook at all. It calls a
 * denial an error of the hook when it tells the model, whichever way it is said.
 */
export const claude: Agent = {
  name: 'claude',
  title: 'Claude Code',
  program: 'claude',
  home: folderIn({ variable: 'CLAUDE_CONFIG_DIR', otherwise: ['.claude'] }),
  local: ['.claude'],
  wiring,
  projectVariable: 'CLAUDE_PROJECT_DIR',
  waits: PROGRAM_WAITS,
  deciding: ['PreToolUse', 'UserPromptSubmit'],
  hears: new Set(['prompt', 'tool-begin', 'tool-end']),
  answer: claudeAnswer,
  mentions: 'shown',
  transcript: { reader: claudeTranscript, calls: 'as-hooks-do' },
  read(event, value) {
    const payload = payloadOf(value);
    const place = placeOf(payload);
    if (place === null) return null;
    const turn = textAt(payload, 'prompt_id');
    switch (event) {
      case 'PreToolUse': {
        const call = callOf(payload, place);
        return call && { ...call, kind: 'tool-begin', turn };
      }
      case 'PostToolUse':
      case 'PostToolUseFailure':
        return ended(payload, callOf(payload, place), event === 'PostToolUse');
      case 'Stop':
        return { ...place, kind: 'pause', isQuiet: isEmptyList(payload.background_tasks) };
      default:
        return sessionEvent(event, payload, place, turn);
    }
  },
};

/** The event at which it wants a folder to work in, named by the last line that the hook prints. */
export const WORKTREE_CREATE = 'WorktreeCreate';

const EDITS = 'Edit|MultiEdit|Write|NotebookEdit';
const OTHERS = 'Read|Bash|PowerShell|mcp__.*';
/** A request has nobody else who would end it. */
const REQUEST_SECONDS = 2;

/** Where there is an address for requests, it asks there about its tools. */
function wiring(wanted: Wiring): readonly Target[] {
  const { address, strictness } = wanted;
  const run = programHook(wanted);
  const ask: HookMaker = address === null ? run : (event) => request(address, event);
  const begin =
    strictness === 'strict'
      ? [
          matchingGroup('PreToolUse', EDITS, { ...ask('PreToolUse', '--strict'), onFailure: 'block' }),
          matchingGroup('PreToolUse', OTHERS, ask('PreToolUse')),
        ]
      : [matchingGroup('PreToolUse', `${EDITS}|${OTHERS}`, ask('PreToolUse'))];
  const groups = [
    // Only a command can start the daemon, or find out that somebody else has its port.
    ...plainGroups(['SessionStart', 'UserPromptSubmit'], run),
    ...begin,
    matchingGroup('PostToolUse', `${EDITS}|${OTHERS}`, ask('PostToolUse')),
    matchingGroup('PostToolUseFailure', `${EDITS}|${OTHERS}`, ask('PostToolUseFailure')),
    ...plainGroups(['SubagentStop', 'Stop', 'SessionEnd'], run),
    ...worktreeGroups(wanted),
  ];
  return [hooksFile(wanted, 'settings.json', groups, address !== null)];
}

/** Whoever has this hook makes its worktrees, for `--worktree` and for subagents: there is no other way then. */
function worktreeGroups({ worktrees, program }: Wiring): readonly HookGroup[] {
  if (worktrees === undefined) return [];
  const command = program(WORKTREE_CREATE, '--worktree', worktrees);
  return plainGroups([WORKTREE_CREATE], () => ({ type: 'command', command, timeout: WORKTREE_SECONDS }));
}

const WORKTREE_SECONDS = 600;

function request({ port, token }: HookAddress, event: string): Readonly<Record<string, unknown>> {
  return {
    type: 'http',
    url: `http://127.0.0.1:${port}${pathOf(ENDPOINTS.takeHttpHook, { event })}`,
    headers: { [AUTHORIZATION]: bearer(token) },
    timeout: REQUEST_SECONDS,
  };
}

function ended(payload: Payload, call: ToolCall | null, ok: boolean): HookEvent | null {
  if (call === null) return null;
  const output = ok ? joinedOutput(payload.tool_response) : textAt(payload, 'error');
  const { duration_ms: durationMs } = payload;
  return {
    ...call,
    kind: 'tool-end',
    ok,
    output,
    durationMs: typeof durationMs === 'number' && durationMs >= 0 ? durationMs : undefined,
    shown: shownIn(payload),
  };
}

/** A command that was sent to the background says so beside what it printed. */
function joinedOutput(response: unknown): string | undefined {
  const printed = outputText(response);
  const task = textAt(payloadOf(response), 'backgroundTaskId');
  return task === undefined ? printed : `${printed ?? ''}\nCommand running in background with ID: ${task}`;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Its Read says which lines it showed of how many. */
function shownIn(payload: Payload) {
  const { startLine, numLines, totalLines } = payloadOf(payloadOf(payload.tool_response).file);
  return shownLines(startLine, Number(startLine) + Number(numLines) - 1, totalLines);
}
