import type { AnswerOf } from '@palimpsest/protocol';
import { z } from 'zod';
import { callFactsOf } from '../connection/call-facts.js';
import { type Tool, tool } from './tool.js';

/**
 * Takes hooks of the type `mcp_tool`, which Claude Code and Codex deliver to a server that is connected already:
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
    const { session_id = callFactsOf(meta).session, ...rest } = payloadOf(fields);
    const payload = { ...rest, ...(session_id === null ? {} : { session_id }) };
    const event = fields.hook_event_name;
    const client = await connection.client();
    const directory = typeof rest.cwd === 'string' ? rest.cwd : await connection.root();
    const answer = await client.takeHook({ params: { agent, event }, body: { directory, payload } });
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
 * A hook's configuration names each field that it wants sent along. What is no text is sent as JSON; what this event does
 * not have comes empty, or as the placeholder itself.
 */
function payloadOf(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const given = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== '' && !(typeof value === 'string' && /^\$\{[\w.]+\}$/.test(value)),
  );
  return Object.fromEntries(given.map(([name, value]) => [name, STRUCTURED.has(name) ? parsed(value) : value]));
}

const STRUCTURED: ReadonlySet<string> = new Set(['tool_input', 'tool_response']);

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value; // A tool may well have answered with plain text.
  }
}
