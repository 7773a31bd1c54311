import { spawnSync } from 'node:child_process';
import { isCovered, KEPT_BYTES } from './coverage.js';
import { NOT_KNOWN } from './ledger.js';
import type { Stage } from './stage.js';
import { must } from './violation.js';

/** After a restart all answers are the same. */
export async function playRestart(stage: Stage): Promise<void> {
  stage.table.count('When', 'after a restart');
  stage.say('restart');
  const before = await answers(stage);
  await stage.desk.daemonGone();
  await stage.world.endDaemon('SIGTERM');
  await stage.world.startDaemon();
  stage.good(await stage.desk.open(), 'open again');
  await stage.settle();
  const after = await answers(stage);
  // What an open call did is recorded when it ends, or when we stop: then there is more to tell.
  for (const [question, answer] of stage.open.length > 0 ? [] : before)
    must(
      after.get(question) === answer,
      6,
      () => `after a restart ${question} is answered otherwise:\n${firstDifference(answer, after.get(question) ?? '')}`,
    );
}

async function answers(stage: Stage): Promise<ReadonlyMap<string, string>> {
  const { desk } = stage;
  const asked = new Map<string, string>();
  asked.set('changes', JSON.stringify(stage.good(await desk.changes('all'), 'changes')));
  // A loan ends by itself, before or after the restart.
  const withoutLoan = (key: string, value: unknown) => (key === 'onLoan' ? undefined : value);
  asked.set('checkpoints', JSON.stringify(stage.good(await desk.checkpoints(), 'checkpoints'), withoutLoan));
  asked.set('conflicts', JSON.stringify(stage.good(await desk.conflicts(), 'conflicts')));
  const path = stage.files()[0];
  if (path !== undefined) asked.set(`blame ${path}`, JSON.stringify(stage.good(await desk.blame(path), 'blame')));
  return asked;
}

function firstDifference(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const from = Math.max(0, at - 300);
  return `${a.slice(from, at + 300)}\n${b.slice(from, at + 300)}`;
}

/** Plain git calls the store sound, and everything that is named or was ever on disk between two steps can be read from it. */
export async function checkStore(stage: Stage): Promise<void> {
  const environment = { ...stage.world.environment, GIT_DIR: stage.desk.store };
  const fsck = spawnSync('git', ['fsck', '--full', '--strict', '--no-dangling', '--no-reflogs'], {
    env: environment,
    encoding: 'utf8',
  });
  // A tree may name what was forgotten; anything else that is named must be there.
  const lost = [...fsck.stdout.matchAll(/^missing \w+ (\w+)$/gm)].map(([, id]) => id!);
  const excused = lost.length > 0 && lost.every((id) => stage.forgotten.has(id));
  must(
    excused || (fsck.status === 0 && !/missing|broken|error/.test(fsck.stdout + fsck.stderr)),
    6,
    () => `git fsck: ${fsck.stdout}${fsck.stderr}`,
  );
  const ids = [...named(stage)];
  const check = spawnSync('git', ['cat-file', '--batch-check'], {
    env: environment,
    encoding: 'utf8',
    input: `${ids.join('\n')}\n`,
    maxBuffer: 1 << 28,
  });
  const missing = check.stdout.split('\n').filter((line) => line.endsWith('missing'));
  must(
    missing.length === 0,
    6,
    () => `contents that are named and not in the store: ${missing.slice(0, 5).join(', ')}`,
  );
  for (const id of ids.slice(0, 20)) {
    const { status, bytes } = await stage.desk.content(id);
    const own = stage.bytesOf(id);
    must(
      status === 200 && (own === undefined || own.equals(bytes)),
      6,
      () => `the content ${id} cannot be fetched: ${status}`,
    );
  }
}

function named(stage: Stage): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { before, after } of stage.ledger.changes.values())
    for (const shot of [before, after])
      if (shot !== null && !isLarge(stage, shot.id) && !stage.forgotten.has(shot.id) && shot.id !== NOT_KNOWN)
        ids.add(shot.id);
  for (const [path, shot] of stage.now.files) if (isCovered(path, shot) && !isLarge(stage, shot.id)) ids.add(shot.id);
  return ids;
}

function isLarge(stage: Stage, id: string): boolean {
  return (stage.bytesOf(id)?.length ?? 0) > KEPT_BYTES;
}
