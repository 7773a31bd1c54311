import { type AgentName, isAgentName } from '../../agents/agent-name.js';
import type { HookReply } from '../../agents/hook-event.js';
import { hookOutput, httpAnswer } from '../../agents/output.js';
import { noteMissed } from '../../hook/missed.js';
import type { DaemonState } from '../daemon-state.js';
import { HookDesk } from '../hook-desk.js';
import { type App, refuse, serveRaw } from '../serve-route.js';

export function serveHooks(app: App, { workspaces, dataDir }: DaemonState): void {
  const desk = new HookDesk(workspaces);

  serveRaw(app, 'takeHook', async ({ params, body }, context) => {
    const { agent, event } = params as { readonly agent: string; readonly event: string };
    if (!isAgentName(agent))
      return refuse(context, { code: 'bad-input', why: `${agent} is no agent that is known here` });
    const { signal } = context.req.raw;
    const { directory, payload } = body;
    const answer = await desk.take({ agent, event, payload, directory, isHeard: () => !signal.aborted });
    if (!answer.ok) return refuse(context, answer.error);
    return context.req.header('accept') === PLAIN
      ? plainAnswer(agent, event, answer.value)
      : context.json(answer.value);
  });

  serveRaw(app, 'takeHttpHook', async ({ params, body }, context) => {
    const { event } = params as { readonly event: string };
    const { signal } = context.req.raw;
    const directory = typeof body.cwd === 'string' ? body.cwd : null;
    if (directory === null) return refuse(context, { code: 'bad-input', why: 'cwd: the payload has none' });
    const isHeard = () => !signal.aborted;
    const answer = await desk.take({ agent: 'claude', event, payload: body, directory, isHeard });
    // Nobody else is there who could say so.
    if (!isHeard()) {
      const why = 'the agent did not wait for the answer';
      noteMissed(dataDir, { at: new Date().toISOString(), agent: 'claude', event, directory, why });
    }
    return answer.ok ? context.json(httpAnswer(event, answer.value)) : refuse(context, answer.error);
  });
}

const PLAIN = 'text/plain';

/** The answer as a hook gives it, for a shell that cannot read JSON. */
function plainAnswer(agent: AgentName, event: string, reply: HookReply): Response {
  const { exit, stdout, stderr } = hookOutput(agent, event, reply);
  const bytes = Buffer.from(exit === 0 ? stdout : stderr);
  const headers = { 'content-type': PLAIN, 'content-length': String(bytes.length), 'x-pal-exit': String(exit) };
  return new Response(bytes, { headers });
}
