import type { AnswerOf } from '@palimpsest/protocol';
import { z } from 'zod';
import { callFactsOf } from '../call-facts.js';
import { type Tool, tool } from '../tool.js';

/**
 * The door for hooks of the type `mcp_tool`, which Claude Code and Codex deliver to a server that is connected already:
 * no process is started for them. The text that comes back is the hook's output.
 */
export const hookTool: Tool = tool({
  name: 'pal_hook',
  title: 'Take a hook (not for models)',
  description:
    'Called by the hooks of the agent that runs you, with the fields of the hook’s payload. There is no use in calling ' +
    'it yourself.',
  effect: 'notes',
  input: z.looseObject({
    agent: z.enum(['claude', 'codex']),
    hook_event_name: z.string().meta({ description: 'Such as PreToolUse.' }),
  }),
  output: null,
  async run({ agent, ...fields }, { connection, meta }) {
    const payload = unfold({ session_id: callFactsOf(meta).session ?? undefined, ...fields });
    const event = String(payload.hook_event_name);
    const client = await connection.client();
    const directory = typeof payload.cwd === 'string' ? payload.cwd : await connection.root();
    const answer = await client.call('takeHook', { params: { agent, event }, body: { directory, payload } });
    // A hook never breaks the agent: what was missed is found at the next look.
    return { text: JSON.stringify(answer.ok ? outputOf(event, answer.value) : {}), data: {} };
  },
});

/** Nothing but what both know: Codex lets the call run when there is one key more. */
function outputOf(event: string, { deny, context }: AnswerOf<'takeHook'>): object {
  if (deny !== undefined)
    return {
      hookSpecificOutput: { hookEventName: event, permissionDecision: 'deny', permissionDecisionReason: deny },
    };
  return context === undefined ? {} : { hookSpecificOutput: { hookEventName: event, additionalContext: context } };
}

/**
 * A hook's configuration names each field, so that those of the tool's input come as `tool_input.file_path`. One that
 * this event does not have comes as the placeholder itself, which says nothing.
 */
function unfold(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const payload: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || (typeof value === 'string' && /^\$\{[\w.]+\}$/.test(value))) continue;
    const [first, ...rest] = name.split('.') as [string, ...string[]];
    if (rest.length === 0) payload[first] = value;
    else payload[first] = { ...(payload[first] as object | undefined), [rest.join('.')]: value };
  }
  return payload;
}
