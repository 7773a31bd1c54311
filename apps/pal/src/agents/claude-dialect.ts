import type { HookEvent, InSession, Subagent, ToolCall } from './hook-event.js';
import { type Payload, textAt } from './payload.js';

/*
 * How Claude Code says things in its hooks. Codex speaks like it in all that stands here, Gemini CLI only where it says
 * which session it is and where. What one of them says in its own way stands in its own file.
 */

export function placeOf(payload: Payload): InSession | null {
  const session = textAt(payload, 'session_id');
  if (session === undefined) return null;
  const transcript = textAt(payload, 'transcript_path');
  return { session, cwd: textAt(payload, 'cwd'), ...(transcript === undefined ? {} : { transcript }) };
}

export function callOf(payload: Payload, place: InSession): ToolCall | null {
  const callId = textAt(payload, 'tool_use_id');
  const tool = textAt(payload, 'tool_name');
  if (callId === undefined || tool === undefined) return null;
  return { ...place, callId, tool, input: payload.tool_input, agentId: textAt(payload, 'agent_id') };
}

/** The events that are not about a tool. */
export function sessionEvent(
  event: string,
  payload: Payload,
  place: InSession,
  turn: string | undefined,
): HookEvent | null {
  switch (event) {
    case 'SessionStart':
      if (payload.source === 'compact') return { ...place, kind: 'cut' };
      return { ...place, kind: 'session-start', model: textAt(payload, 'model') };
    case 'SessionEnd':
      return { ...place, kind: 'session-end' };
    case 'UserPromptSubmit':
      return { ...place, kind: 'prompt', text: textAt(payload, 'prompt') ?? '', turn, model: textAt(payload, 'model') };
    case 'Stop':
      return { ...place, kind: 'pause' };
    case 'SubagentStop':
      return { ...place, kind: 'pause', subagent: subagentOf(payload) };
    default:
      return null;
  }
}

function subagentOf(payload: Payload): Subagent | undefined {
  const [agentId, transcript] = [textAt(payload, 'agent_id'), textAt(payload, 'agent_transcript_path')];
  return agentId === undefined || transcript === undefined ? undefined : { agentId, transcript };
}
