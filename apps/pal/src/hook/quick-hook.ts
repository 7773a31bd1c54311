import { writeSync } from 'node:fs';
import {
  AUTHORIZATION,
  bearer,
  CONTENT_TYPE,
  DEADLINE,
  ENDPOINTS,
  JSON_TYPE,
  pathOf,
  VERSION,
} from '@palimpsest/protocol/light';
import { AGENTS, isAgentName } from '../agents/agents.js';
import type { HookOutput, HookReply } from '../agents/hook-event.js';
import { type DaemonInfo, isAlive, readDiscovery } from '../link/discovery.js';
import { askLoopback } from '../link/loopback.js';
import { withinHeader } from '../surroundings/within.js';
import { patienceFor } from './deadlines.js';
import { noteMissed, sinceMissMs } from './missed.js';
import { projectDirectory } from './project-directory.js';

export type HookCall = {
  readonly agent: string;
  readonly event: string;
  readonly stdin: string;
  readonly data: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** What the hook says when we cannot be asked. */
  readonly otherwise: HookOutput;
};

/**
 * A hook with a daemon that runs: one request. Null where the whole program must do it: there is no daemon, or one of
 * another version, or it is just going.
 */
export async function quickHook(call: HookCall): Promise<HookOutput | null> {
  const { agent, event, stdin, data, environment, cwd, otherwise } = call;
  const daemon = daemonIn(data);
  if (!isAgentName(agent) || daemon === null || daemon.version !== VERSION) return null;
  // Whoever has the port of a daemon that was killed must not get to see what agents do.
  if (!isAlive(daemon.pid)) return null;
  const directory = projectDirectory(agent, environment, cwd);
  const began = performance.now();
  const patienceMs = patienceFor(event, sinceMissMs(data));
  const answer = await askLoopback({
    port: daemon.port,
    method: 'POST',
    path: pathOf(ENDPOINTS.takeHook, { agent, event }),
    headers: {
      [AUTHORIZATION]: bearer(daemon.token),
      [CONTENT_TYPE]: JSON_TYPE,
      [DEADLINE]: String(Date.now() + patienceMs),
      ...withinHeader(environment),
    },
    body: `{"directory":${JSON.stringify(directory)},"payload":${stdin.trim() === '' ? 'null' : stdin}}`,
    timeoutMs: patienceMs,
  });
  const slow = performance.now() - began >= patienceMs;
  if (answer === null && !slow) return null;
  if (answer !== null && (answer.status === 401 || answer.status === 503)) return null;
  const reply = answer?.status === 200 ? replyOf(answer.body) : null;
  if (reply !== null) return AGENTS[agent].answer(event, reply);
  const why = answer === null ? `no answer within ${patienceMs} ms` : `the daemon answered ${answer.status}`;
  noteMissed(data, { at: new Date().toISOString(), agent, event, directory, why });
  return otherwise;
}

/** Prints and ends. Straight to the descriptors: setting up the streams takes longer than writing. */
export function endHook({ exit, stdout, stderr }: HookOutput): never {
  write(STDOUT, stdout);
  write(STDERR, stderr);
  process.exit(exit);
}

const STDOUT = 1;
const STDERR = 2;

function write(descriptor: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      // A pipe that is full empties; one that nobody reads any more has nobody to tell.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return;
    }
  }
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
