import { isAgentName } from '../../agents/agent-name.js';
import type { DaemonState } from '../daemon-state.js';
import { HookDesk } from '../hook-desk.js';
import { type App, refuse, serveRaw } from '../serve-route.js';

export function serveHooks(app: App, { workspaces }: DaemonState): void {
  const desk = new HookDesk(workspaces);

  serveRaw(app, 'takeHook', async ({ params, body }, context) => {
    const { agent, event } = params as { readonly agent: string; readonly event: string };
    if (!isAgentName(agent))
      return refuse(context, { code: 'bad-input', why: `${agent} is no agent that is known here` });
    const { signal } = context.req.raw;
    const { directory, payload } = body;
    const answer = await desk.take({ agent, event, payload, directory, isHeard: () => !signal.aborted });
    return answer.ok ? context.json(answer.value) : refuse(context, answer.error);
  });
}
