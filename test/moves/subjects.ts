import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { SESSIONS } from './calls.js';
import { KEPT_BYTES } from './coverage.js';
import { sameShot } from './photograph.js';
import type { Stage } from './stage.js';
import { HUMAN, writerOfCall } from './token.js';
import { must } from './violation.js';

/** Files of kinds that are too slow to have around all the time: they come, an agent changes them, it is rejected, they go. */
export async function playSubject(stage: Stage): Promise<void> {
  if (stage.open.length > 0) return;
  const kind = stage.chance.pick(Object.keys(SUBJECTS) as (keyof typeof SUBJECTS)[]);
  const name = `${kind.replaceAll(/\W+/g, '-')}-${stage.newName()}.txt`;
  stage.table.count('On what', kind);
  stage.say(`human makes ${name}`);
  const make = SUBJECTS[kind] ?? null;
  if (make === null) await playSpecial(stage, kind, name);
  else await playContent(stage, name, make(stage));
}

const SUBJECTS: Readonly<Record<string, ((stage: Stage) => Buffer) | null>> = {
  'one line of 1 MB': (stage) => Buffer.from(`${stage.tokens.token(HUMAN)} ${'x'.repeat(1024 * 1024)}\n`),
  '80,000 lines': (stage) =>
    Buffer.from(`${stage.tokens.line(HUMAN)}\n${Array.from({ length: 80_000 }, (_, n) => `line ${n}\n`).join('')}`),
  'larger than the limit': (stage) =>
    Buffer.concat([Buffer.from(`${stage.tokens.line(HUMAN)}\n`), Buffer.alloc(KEPT_BYTES, 'y')]),
  binary: (stage) => Buffer.from(`\0\u0001${stage.tokens.line(HUMAN)}\0`, 'latin1'),
  'invalid UTF-8': (stage) => Buffer.from(`\xff\xfe${stage.tokens.line(HUMAN)}\n`, 'latin1'),
  FIFO: null,
  socket: null,
};

async function playContent(stage: Stage, name: string, bytes: Buffer): Promise<void> {
  const { desk, world, chance } = stage;
  const place = join(world.root, name);
  writeFileSync(place, bytes);
  stage.did({ by: 'human' });
  await stage.settle();
  const before = stage.now.files.get(name);
  const session = chance.pick(SESSIONS);
  const call = stage.newCall();
  const line = stage.tokens.line(writerOfCall(session, call));
  const input = { command: `echo '${line}' >> ${name}` };
  stage.say(`${session} ${call} appends to ${name}; it is rejected; the human removes it`);
  stage.good(
    await desk.begin({ session, callId: call, tool: 'Bash', input, cwd: world.root, agent: 'claude' }),
    'begin',
  );
  appendFileSync(place, `${line}\n`);
  stage.did({ by: 'agent', session, call });
  const { changes } = stage.good(await desk.end({ session, callId: call, ok: true }), 'end') as {
    changes: readonly { id: string; path: string; reversible: boolean }[];
  };
  await stage.settle();
  const own = changes.find(({ path }) => path === name);
  if (own !== undefined) await rejectIt(stage, name, own, before);
  rmSync(place, { force: true });
  stage.did({ by: 'human' });
  await stage.settle();
}

async function rejectIt(
  stage: Stage,
  name: string,
  { id, reversible }: { readonly id: string; readonly reversible: boolean },
  before: Parameters<typeof sameShot>[0],
): Promise<void> {
  const said = stage.answered(await stage.desk.verdict('reject', { changes: [id] }, { dryRun: false }), 'reject');
  await stage.settle();
  if (reversible)
    must(
      said.ok && sameShot(stage.now.files.get(name), before),
      3,
      () => `rejecting ${id} of ${name} did not bring it back: ${said.code} ${JSON.stringify(said.value)}`,
    );
  else
    stage.good(
      await stage.desk.verdict('accept', { changes: [id] }, { dryRun: false }),
      'accept what cannot be rejected',
    );
  await stage.settle();
}

/** What is no file is nobody's content, and in nobody's way. */
async function playSpecial(stage: Stage, kind: string, name: string): Promise<void> {
  const place = join(stage.world.root, name);
  const server = createServer();
  if (kind === 'FIFO') stage.world.shell(`mkfifo '${name}'`);
  else await new Promise<void>((resolve) => server.listen(place, resolve));
  await stage.settle();
  if (kind === 'FIFO') rmSync(place);
  else await new Promise((resolve) => server.close(resolve));
  stage.did({ by: 'human' });
  await stage.settle();
}
