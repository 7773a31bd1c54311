import { DEADLINE, VERSION } from '@palimpsest/protocol/light';
import { AGENTS, type AgentName } from '../agents/agents.js';
import type { HookOutput, HookReply } from '../agents/hook-event.js';
import { askDaemon } from '../link/ask-daemon.js';
import { type DaemonInfo, isAlive, readDiscovery } from '../link/discovery.js';
import { withinHeader } from '../surroundings/within.js';
import { leftMs, patienceFor } from './deadlines.js';
import { noteMissed, sinceMissMs } from './missed.js';
import { projectDirectory } from './project-directory.js';

export type HookCall = {
  readonly agent: AgentName;
  readonly event: string;
  readonly stdin: string;
  readonly data: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Until when the agent may be kept waiting, in milliseconds since the epoch. */
  readonly until: number;
  /** What the hook says when we cannot be asked. */
  readonly otherwise: HookOutput;
};

/** A hook with a daemon that runs. Null where the whole program must do it: there is none, or one of another version. */
export async function askRunning(call: HookCall): Promise<HookOutput | null> {
  const daemon = daemonIn(call.data);
  // Whoever has the port of a daemon that was killed must not get to see what agents do.
  if (daemon === null || daemon.version !== VERSION || !isAlive(daemon.pid)) return null;
  return askHook(daemon, call, Math.min(patienceFor(call.event, sinceMissMs(call.data)), leftMs(call.until)));
}

/** One request. Null when that daemon is not there any more, or just going. */
export async function askHook(daemon: DaemonInfo, call: HookCall, timeoutMs: number): Promise<HookOutput | null> {
  const { agent, event, stdin, environment } = call;
  const answer = await askDaemon(daemon, 'takeHook', {
    params: { agent, event },
    headers: { ...withinHeader(environment), [DEADLINE]: String(Math.min(Date.now() + timeoutMs, call.until)) },
    body: `{"directory":${JSON.stringify(directoryOf(call))},"payload":${stdin.trim() === '' ? 'null' : stdin}}`,
    timeoutMs,
  });
  if (answer.status === 401 || answer.status === 503 || (answer.status === null && !answer.isLate)) return null;
  const reply = answer.status === 200 ? replyOf(answer.body) : null;
  if (reply !== null) return AGENTS[agent].answer(event, reply);
  return withoutAnswer(call, answer.status === null ? answer.why : `the daemon answered ${answer.status}`);
}

/** The agent goes on as if there were no hook, and the user is told where they look. */
export function withoutAnswer(call: HookCall, why: string): HookOutput {
  const { agent, event, data, otherwise } = call;
  noteMissed(data, { at: new Date().toISOString(), agent, event, directory: directoryOf(call), why });
  return otherwise;
}

function directoryOf({ agent, environment, cwd }: HookCall): string {
  return projectDirectory(agent, environment, cwd);
}

function daemonIn(data: string): DaemonInfo | null {
  try {
    return readDiscovery(data);
  } catch {
    return null; // The whole program finds out what is wrong with the file, and tells it.
  }
}

function replyOf(body: string): HookReply | null {
  try {
    return JSON.parse(body) as HookReply;
  } catch {
    return null; // What is not JSON was not said by a daemon of ours.
  }
}
