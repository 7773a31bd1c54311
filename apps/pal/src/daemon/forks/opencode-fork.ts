import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { ForkPoint } from '@palimpsest/engine';
import { payloadOf, textAt } from '../../agents/payload.js';
import { makeToken } from '../../link/token.js';
import { findProgram } from '../../surroundings/find-program.js';
import type { Environment } from '../../surroundings/surroundings.js';
import { NOTHING_BEFORE } from './claude-cut.js';
import { betweenTurns } from './file-forks.js';
import type { Forking } from './forking.js';

const PATIENCE_MS = 30_000;

/** opencode forks before a message of the user, when its server is asked to; one is started for that and ended again. */
export const opencodeForking: Forking = {
  async cannot({ cut }, environment) {
    if (findProgram('opencode', environment.PATH ?? '') === null)
      return 'opencode, which has to do it itself, is not on the PATH';
    if (cut.kind === 'before-prompt' && cut.previous === null) return NOTHING_BEFORE;
    return betweenTurns(cut, 'opencode');
  },
  async fork(point, environment) {
    const { session, cut } = point;
    const body = cut.kind === 'before-prompt' ? { messageID: cut.message ?? cut.turn } : {};
    const made = await served(point, environment, (ask) => ask('POST', `/session/${session}/fork`, body));
    const id = textAt(payloadOf(made), 'id');
    if (id === undefined) throw new Error('opencode did not say how it calls the fork');
    const drop = async () => void (await served(point, environment, (ask) => ask('DELETE', `/session/${id}`)));
    return { session: id, resume: `opencode --session ${id}`, back: `opencode --session ${session}`, drop };
  },
};

type Ask = (method: string, path: string, body?: object) => Promise<unknown>;

async function served<T>(point: ForkPoint, environment: Environment, work: (ask: Ask) => Promise<T>): Promise<T> {
  const program = findProgram('opencode', environment.PATH ?? '') ?? 'opencode';
  // Whoever else is on this machine can reach its port too.
  const password = makeToken();
  const child = spawn(program, ['serve', '--hostname', '127.0.0.1', '--port', '0'], {
    cwd: point.root,
    // Our own plugin in it would ask the daemon, which waits for this.
    env: { ...environment, OPENCODE_DB: point.transcript, PALIMPSEST_SILENT: '1', OPENCODE_SERVER_PASSWORD: password },
    // What it is installed as may start the server as a process of its own, which has to end as well.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    const url = await addressOf(child);
    return await work(async (method, path, body) => {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: {
          'content-type': 'application/json',
          'x-opencode-directory': point.root,
          authorization: `Basic ${Buffer.from(`opencode:${password}`).toString('base64')}`,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      if (!answer.ok) throw new Error(`opencode could not do it: it answered ${answer.status}`);
      return answer.json();
    });
  } finally {
    endGroup(child);
  }
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid);
  } catch {
    return; // It has ended by itself.
  }
}

/** It says where it listens in a line of its own. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('opencode did not start in time')), PATIENCE_MS);
    child.on('error', (error) => reject(new Error(`opencode could not be started: ${error.message}`)));
    child.on('close', () => reject(new Error('opencode ended before it listened')));
    for (const input of [child.stdout!, child.stderr!])
      createInterface({ input }).on('line', (line) => {
        const url = /https?:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
        if (url === undefined) return;
        clearTimeout(timer);
        resolve(url);
      });
  });
}
