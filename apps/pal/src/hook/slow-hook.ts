import { DEADLINE, ENDPOINTS, sendJson, VERSION } from '@palimpsest/protocol/light';
import { AGENTS, isAgentName } from '../agents/agents.js';
import { type HookOutput, type HookReply, SILENCE } from '../agents/hook-event.js';
import { connect } from '../link/connect.js';
import { daemonPort } from '../link/discovery.js';
import { readHookDoor } from '../link/hook-door.js';
import { askLoopback } from '../link/loopback.js';
import { withinHeader } from '../surroundings/within.js';
import { PATIENCE_MS } from './deadlines.js';
import { noteMissed } from './missed.js';
import { projectDirectory } from './project-directory.js';
import type { HookCall } from './quick-hook.js';

/**
 * A hook that found no daemon: one is started, and waited for as long as the agent may be kept waiting. Whatever goes
 * wrong, the agent goes on as if there were no hook, and the user is told where they look.
 */
export async function slowHook(call: HookCall): Promise<HookOutput> {
  const { agent, event, data, environment, cwd, otherwise } = call;
  const directory = projectDirectory(agent, environment, cwd);
  if (!isAgentName(agent)) return SILENCE;
  const missed = (why: string) => noteMissed(data, { at: new Date().toISOString(), agent, event, directory, why });
  if (agent === 'claude' && TURN_IS_OVER.has(event) && readHookDoor(data) !== null && !(await isDaemonThere(data)))
    missed('the daemon was gone before the turn was over');
  try {
    return AGENTS[agent].answer(event, await ask(call, directory));
  } catch (error) {
    missed(error instanceof Error ? error.message : String(error));
    return otherwise;
  }
}

/** Where tools are asked about by requests, nobody but the hooks at these events finds out that they were in vain. */
const TURN_IS_OVER: ReadonlySet<string> = new Set(['Stop', 'SubagentStop']);

async function isDaemonThere(data: string): Promise<boolean> {
  const port = daemonPort(data);
  if (port === null) return false;
  const { method, path } = ENDPOINTS.health;
  const timeoutMs = PATIENCE_MS.afterMiss;
  // Whoever answers, and whatever: a process that was killed has its number until its parent has heard of it.
  return (await askLoopback({ port, method: method.toUpperCase(), path, headers: {}, body: '', timeoutMs })) !== null;
}

async function ask({ agent, event, stdin, data, environment }: HookCall, directory: string): Promise<HookReply> {
  const until = performance.now() + PATIENCE_MS.start;
  const payload: unknown = stdin.trim() === '' ? null : JSON.parse(stdin);
  const connected = await connect({
    dataDir: data,
    version: VERSION,
    start: 'if-needed',
    environment,
    timeoutMs: Math.max(0, until - performance.now()),
  });
  if (!connected.ok) throw new Error(connected.error.error.message);
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(until - performance.now())));
  const { status, json } = await sendJson(connected.value.address, 'takeHook', {
    params: { agent, event },
    body: { directory, payload },
    headers: { [DEADLINE]: String(Math.ceil(Date.now() + until - performance.now())), ...withinHeader(environment) },
    signal,
  });
  if (status !== 200) throw new Error(`the daemon answered ${status}`);
  return json as HookReply;
}
