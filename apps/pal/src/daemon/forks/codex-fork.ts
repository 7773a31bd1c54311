import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { ForkPoint } from '@palimpsest/engine';
import { payloadOf, textAt } from '../../agents/payload.js';
import { findProgram } from '../../surroundings/find-program.js';
import type { Environment } from '../../surroundings/surroundings.js';
import { NOTHING_BEFORE } from './claude-cut.js';
import { betweenTurns } from './file-forks.js';
import type { Forking } from './forking.js';

const PATIENCE_MS = 20_000;

/** Codex forks a thread after a finished turn, when it is asked over its own protocol; it keeps an index besides the files. */
export const codexForking: Forking = {
  async cannot({ cut }, environment) {
    if (findProgram('codex', environment.PATH ?? '') === null)
      return 'codex, which has to do it itself, is not on the PATH';
    if (cut.kind === 'before-prompt' && cut.previous === null) return NOTHING_BEFORE;
    return betweenTurns(cut, 'Codex');
  },
  async fork(point, environment) {
    const { session, cut } = point;
    const lastTurnId = cut.kind === 'before-prompt' ? cut.previous : cut.kind === 'end' ? cut.last : null;
    const answer = await ask(point, environment, 'thread/fork', {
      threadId: session,
      ...(lastTurnId === null ? {} : { lastTurnId }),
    });
    const id = textAt(payloadOf(payloadOf(answer).thread), 'id');
    if (id === undefined) throw new Error('Codex did not say how it calls the fork');
    const drop = async () => void (await ask(point, environment, 'thread/delete', { threadId: id }));
    return { session: id, resume: `codex resume ${id}`, back: `codex resume ${session}`, drop };
  },
};

/** One question to its server, which ends with the answer. */
function ask(point: ForkPoint, environment: Environment, method: string, params: object): Promise<unknown> {
  const program = findProgram('codex', environment.PATH ?? '') ?? 'codex';
  // sessions/YEAR/MONTH/DAY/rollout-….jsonl
  const home = dirname(dirname(dirname(dirname(dirname(point.transcript)))));
  return new Promise((resolve, reject) => {
    const child = spawn(program, ['app-server'], {
      cwd: point.root,
      env: { ...environment, CODEX_HOME: home },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const finish = (work: () => void) => {
      clearTimeout(timer);
      child.kill();
      work();
    };
    const fail = (why: string) => finish(() => reject(new Error(`Codex could not fork the session: ${why}`)));
    const timer = setTimeout(() => fail('it took too long'), PATIENCE_MS);
    child.on('error', ({ message }) => fail(message));
    child.on('close', () => fail('it ended'));
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', (line) => {
      const said = payloadOf(parsed(line));
      if (said.id !== QUESTION) return;
      if (said.error !== undefined) fail(textAt(payloadOf(said.error), 'message') ?? 'it refused');
      else finish(() => resolve(said.result));
    });
    const clientInfo = { name: 'palimpsest', title: 'Palimpsest', version: '1' };
    const messages = [
      { id: QUESTION - 1, method: 'initialize', params: { clientInfo } },
      { method: 'initialized' },
      { id: QUESTION, method, params },
    ];
    child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  });
}

const QUESTION = 2;

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null; // A line of its log.
  }
}
