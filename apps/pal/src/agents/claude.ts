import type { Agent } from './agent.js';
import type { HookEvent, ToolCall } from './hook-event.js';
import { given, outputText, type Payload, payloadOf, textAt } from './payload.js';

/** Claude Code. Subagents share the session and carry an id of their own; its own refusals fire no hook at all. */
export const claude: Agent = {
  name: 'claude',
  hears: new Set(['prompt', 'tool-begin', 'tool-end']),
  mentions: 'shown',
  read(event, value) {
    const payload = payloadOf(value);
    const session = textAt(payload, 'session_id');
    if (session === undefined) return null;
    const place = { session, ...given('cwd', textAt(payload, 'cwd')) };
    switch (event) {
      case 'SessionStart':
        return { ...place, kind: payload.source === 'compact' ? 'cut' : 'session-start' };
      case 'SessionEnd':
        return { ...place, kind: 'session-end' };
      case 'UserPromptSubmit':
        return {
          ...place,
          kind: 'prompt',
          text: textAt(payload, 'prompt') ?? '',
          ...given('turn', textAt(payload, 'prompt_id')),
        };
      case 'PreToolUse': {
        const call = callOf(payload, place);
        return call && { ...call, kind: 'tool-begin', ...given('turn', textAt(payload, 'prompt_id')) };
      }
      case 'PostToolUse':
      case 'PostToolUseFailure':
        return ended(payload, callOf(payload, place), event === 'PostToolUse');
      case 'Stop':
      case 'SubagentStop':
        return { ...place, kind: 'pause' };
      default:
        return null;
    }
  },
};

function callOf(payload: Payload, place: { readonly session: string; readonly cwd?: string }): ToolCall | null {
  const callId = textAt(payload, 'tool_use_id');
  const tool = textAt(payload, 'tool_name');
  if (callId === undefined || tool === undefined) return null;
  return { ...place, callId, tool, input: payload.tool_input, ...given('agentId', textAt(payload, 'agent_id')) };
}

function ended(payload: Payload, call: ToolCall | null, ok: boolean): HookEvent | null {
  if (call === null) return null;
  const output = ok ? outputText(payload.tool_response) : textAt(payload, 'error');
  return { ...call, kind: 'tool-end', ok, ...given('output', output) };
}
