import type { Agent } from './agent.js';
import type { HookEvent, ToolCall } from './hook-event.js';
import { given, outputText, type Payload, payloadOf, textAt } from './payload.js';

/**
 * Codex. Its shell tool tells no exit code, so an end says nothing of success; a patch that failed, and a patch applied
 * through the shell, have no end at all.
 */
export const codex: Agent = {
  name: 'codex',
  hears: new Set(['prompt', 'tool-begin', 'tool-end']),
  mentions: 'left-out',
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
          ...given('turn', textAt(payload, 'turn_id')),
        };
      case 'PreToolUse': {
        const call = callOf(payload, place);
        return call && { ...call, kind: 'tool-begin', ...given('turn', textAt(payload, 'turn_id')) };
      }
      case 'PostToolUse':
        return ended(payload, callOf(payload, place));
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
  const command = textAt(payloadOf(payload.tool_input), 'command');
  const patch = tool === 'Bash' && command !== undefined ? patchInShell(command) : null;
  const agentId = given('agentId', textAt(payload, 'agent_id'));
  if (patch !== null) return { ...place, callId, tool: 'apply_patch', input: { command: patch }, ...agentId };
  return { ...place, callId, tool, input: payload.tool_input, ...agentId };
}

/**
 * Codex understands a command that does nothing but hand a patch to `apply_patch` as that tool, and runs no shell. So do
 * we: a patch is guarded where a command is only warned.
 */
function patchInShell(command: string): string | null {
  return PATCH_IN_SHELL.exec(command)?.groups?.patch ?? null;
}

const PATCH_IN_SHELL =
  /^\s*apply_?patch\s*<<-?\s*(?<quote>['"]?)(?<word>\w+)\k<quote>[^\S\n]*\n(?<patch>\*\*\* Begin Patch\n[\s\S]*?)\n\k<word>\s*$/;

function ended(payload: Payload, call: ToolCall | null): HookEvent | null {
  return call && { ...call, kind: 'tool-end', ...given('output', outputText(payload.tool_response)) };
}
