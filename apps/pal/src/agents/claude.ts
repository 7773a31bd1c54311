import type { Agent } from './agent.js';
import { callOf, placeOf, sessionEvent } from './claude-dialect.js';
import type { HookEvent, ToolCall } from './hook-event.js';
import { given, outputText, type Payload, payloadOf, shownLines, textAt } from './payload.js';

/** Claude Code. Subagents share the session and carry an id of their own; its own refusals fire no hook at all. */
export const claude: Agent = {
  name: 'claude',
  hears: new Set(['prompt', 'tool-begin', 'tool-end']),
  mentions: 'shown',
  read(event, value) {
    const payload = payloadOf(value);
    const place = placeOf(payload);
    if (place === null) return null;
    const turn = given('turn', textAt(payload, 'prompt_id'));
    switch (event) {
      case 'PreToolUse': {
        const call = callOf(payload, place);
        return call && { ...call, kind: 'tool-begin', ...turn };
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

function ended(payload: Payload, call: ToolCall | null, ok: boolean): HookEvent | null {
  if (call === null) return null;
  const output = ok ? joinedOutput(payload.tool_response) : textAt(payload, 'error');
  const { duration_ms: durationMs } = payload;
  return {
    ...call,
    kind: 'tool-end',
    ok,
    ...given('output', output),
    ...(typeof durationMs === 'number' && durationMs >= 0 ? { durationMs } : {}),
    ...shownIn(payload),
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
