import { ok } from '@palimpsest/core';
import { HOOK_EXIT } from '@palimpsest/protocol/light';
import { AGENTS, type AgentName, isAgentName } from '../../agents/agents.js';
import { httpAnswer } from '../../agents/answers.js';
import { claudeProject } from '../../agents/claude-project.js';
import type { HookReply } from '../../agents/hook-event.js';
import { noteMissed } from '../../hook/missed.js';
import { wrongAddress } from '../../hook/wrong-address.js';
import type { DaemonState } from '../host/daemon-state.js';
import { askerOf } from './asker.js';
import { type App, refuse, serveRaw } from './serve-route.js';
import { hookTaker } from './take-hook.js';

export function serveHooks(app: App, state: DaemonState): void {
  const { dataDir } = state;
  const take = hookTaker(state.workspaces, state.transcripts);

  serveRaw(app, 'takeHook', async ({ params, body }, context) => {
    const { agent, event } = params;
    if (!isAgentName(agent))
      return refuse(context, { code: 'bad-input', why: `${agent} is no agent that is known here` });
    const { directory, payload } = body;
    const stop = agent === 'claude' && event === 'UserPromptSubmit' ? wrongAddress(dataDir, state.port) : null;
    const answer =
      stop === null ? await take({ agent, event, payload, directory, ...askerOf(context) }) : ok<HookReply>(stop);
    if (!answer.ok) return refuse(context, answer.error);
    return context.req.header('accept') === PLAIN
      ? plainAnswer(agent, event, answer.value)
      : context.json(answer.value);
  });

  serveRaw(app, 'takeHttpHook', async ({ params, body }, context) => {
    const { event } = params;
    const asker = askerOf(context);
    const directory = claudeProject(body);
    if (directory === undefined) return refuse(context, { code: 'bad-input', why: 'cwd: the payload has none' });
    // Nobody else is there who could say so.
    const missed = (why: string) =>
      noteMissed(dataDir, { at: new Date().toISOString(), agent: 'claude', event, directory, why });
    try {
      const answer = await take({ agent: 'claude', event, payload: body, directory, ...asker });
      if (!answer.ok) missed(`the daemon answered ${answer.error.code}`);
      else if (!asker.isHeard()) missed('the agent did not wait for the answer');
      return answer.ok ? context.json(httpAnswer(event, answer.value)) : refuse(context, answer.error);
    } catch (error) {
      missed('something went wrong inside the daemon');
      throw error;
    }
  });
}

const PLAIN = 'text/plain';

/** The answer as a hook gives it, for a shell that cannot read JSON. */
function plainAnswer(agent: AgentName, event: string, reply: HookReply): Response {
  const { exit, stdout, stderr } = AGENTS[agent].answer(event, reply);
  const bytes = Buffer.from(exit === 0 ? stdout : stderr);
  const headers = { 'content-type': PLAIN, 'content-length': String(bytes.length), [HOOK_EXIT]: String(exit) };
  return new Response(bytes, { headers });
}
