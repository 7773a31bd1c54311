import { spawn } from 'node:child_process';
import type { HookReply } from '../agents/hook-event.js';
import { askDaemon } from '../link/ask-daemon.js';
import { isAlive, readDiscovery } from '../link/discovery.js';
import { dataDirectory, surroundings } from '../surroundings/surroundings.js';
import { withinHeader } from '../surroundings/within.js';
import { noteMissed } from './missed.js';
import { PATIENCE_MS, UNTIL } from './patience.js';

/*
 * What the plugins have in common that run inside of an agent: they ask the daemon, never fail the agent and never keep it
 * waiting for long. The build puts this into each of them, so it needs nothing but what is built in.
 */

/** How `pal` is run where the daemon has to be started; `pal init` writes where it is. */
const PAL: readonly string[] = ['pal'];

/** For how long the agent may be kept waiting, all in all; `pal init` writes what that agent allows. */
const WAITS = { deadlineMs: 1_800 };
/** After `pal` could not help, it is not asked again for so long. */
const PAUSE_MS = 10_000;
const DENIED = 2;
const FAREWELL_MS = 1_000;

let pausedUntil = 0;

/** Nothing of a reply when the daemon cannot be asked. */
export async function tell(agent: string, event: string, payload: object, directory: string): Promise<HookReply> {
  const until = Date.now() + WAITS.deadlineMs;
  const missed = (why: string): HookReply => {
    noteMissed(dataDirectory(surroundings()), { at: new Date().toISOString(), agent, event, directory, why });
    return {};
  };
  try {
    const answer = await askRunning(
      agent,
      event,
      { directory, payload },
      Math.min(PATIENCE_MS.before, WAITS.deadlineMs),
    );
    if (answer?.status === 200) return JSON.parse(answer.body) as HookReply;
    if (answer?.status === null && answer.isLate) return missed(answer.why);
    if (Date.now() < pausedUntil) return missed(NOT_STARTED);
    const started = await throughPal(agent, event, payload, directory, until);
    if (started !== null) return started;
    pausedUntil = Date.now() + PAUSE_MS;
    return missed(NOT_STARTED);
  } catch (error) {
    return missed(error instanceof Error ? error.message : String(error));
  }
}

/** Says that a session is over, to a daemon that runs. One that does not is not started for that. */
export async function farewell(agent: string, event: string, payload: object, directory: string): Promise<void> {
  try {
    await askRunning(agent, event, { directory, payload }, FAREWELL_MS);
  } catch {
    // The agent is on its way out, and there is nobody left to tell.
  }
}

const NOT_STARTED = 'the daemon could not be started';

/** Null when there is nobody to ask. Whoever has the port of a daemon that is gone must not get to see what agents do. */
async function askRunning(agent: string, event: string, body: object, timeoutMs: number) {
  const { environment, ...around } = surroundings();
  const daemon = readDiscovery(dataDirectory({ environment, ...around }));
  if (daemon === null || !isAlive(daemon.pid)) return null;
  const headers = withinHeader(environment);
  return askDaemon(daemon, 'takeHook', { params: { agent, event }, headers, body: JSON.stringify(body), timeoutMs });
}

/** The command does what it takes to have a daemon, and asks it. */
function throughPal(
  agent: string,
  event: string,
  payload: object,
  directory: string,
  until: number,
): Promise<HookReply | null> {
  return new Promise((resolve) => {
    const [program, ...words] = PAL;
    const child = spawn(program!, [...words, 'hook', agent, event], {
      cwd: directory,
      env: { ...process.env, [UNTIL]: String(until) },
    });
    const said = { stdout: '', stderr: '' };
    // It goes on by itself: on a busy machine nobody would ever get as far as to start the daemon otherwise.
    const leave = () => {
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
      child.unref();
      resolve(null);
    };
    const timer = setTimeout(() => leave(), until - Date.now());
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
      });
    }
    child.stdin.on('error', () => undefined);
    child.on('error', () => {
      clearTimeout(timer);
      resolve(null);
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === DENIED) resolve({ deny: said.stderr.trim() });
      else resolve(code === 0 ? (JSON.parse(said.stdout.trim() || '{}') as HookReply) : null);
    });
    child.stdin.end(JSON.stringify(payload));
  });
}
