import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { difference } from './photograph.js';
import type { Stage } from './stage.js';
import { allTokens } from './verdicts.js';
import { must } from './violation.js';

/** What happens to a folder only once: after it the world is not used any more. Every question still gets an answer. */
export async function playFinale(stage: Stage): Promise<void> {
  const { world, table } = stage;
  const what = stage.chance.pick([
    'HOME moved',
    'workspace moved',
    'workspace deleted',
    'workspace replaced by a link',
  ] as const);
  table.count('Around it', what);
  stage.say(`finale: ${what}`);
  const elsewhere = join(world.base, 'elsewhere');
  switch (what) {
    case 'HOME moved':
      return homeMoved(stage);
    case 'workspace moved':
      renameSync(world.root, elsewhere);
      await everyAnswer(stage, 'refused');
      must(
        difference(stage.now, stage.album.take(elsewhere)).length === 0,
        1,
        () => 'a folder that was moved away was changed',
      );
      return;
    case 'workspace deleted':
      // With the data inside, a daemon that goes on writing there is in the way of whoever removes it.
      rmSync(world.root, { recursive: true, maxRetries: 40, retryDelay: 100 });
      await everyAnswer(stage, 'refused');
      return;
    case 'workspace replaced by a link': {
      renameSync(world.root, elsewhere);
      symlinkSync(elsewhere, world.root);
      await everyAnswer(stage, 'asked');
      const people = [...allTokens(stage, stage.now)].filter(
        (token) => token.startsWith('~human') && !stage.tokens.isLoose(token) && !stage.moved.has(token),
      );
      const there = allTokens(stage, stage.album.take(elsewhere));
      const lost = people.filter((token) => !there.has(token));
      must(lost.length === 0, 1, () => `behind a link lines of people are gone: ${lost.join(' ')}`);
      return;
    }
  }
}

async function homeMoved(stage: Stage): Promise<void> {
  const { world } = stage;
  const before = JSON.stringify(stage.good(await stage.desk.changes('all'), 'changes'));
  const home = join(world.base, 'new-home');
  mkdirSync(home);
  await stage.desk.daemonGone();
  await world.endDaemon('SIGTERM');
  await world.startDaemon({ HOME: home });
  stage.good(await stage.desk.open(), 'open with another home');
  await stage.settle();
  must(
    JSON.stringify(stage.good(await stage.desk.changes('all'), 'changes')) === before,
    6,
    () => 'with another home the changes are others',
  );
}

/** Whatever it is, it comes in time and is no crash; a verdict on what is not there may fail in any honest way. */
async function everyAnswer(stage: Stage, verdict: 'asked' | 'refused'): Promise<void> {
  const { desk } = stage;
  const questions = {
    status: () => desk.status(),
    changes: () => desk.changes('all'),
    checkpoints: () => desk.checkpoints(),
    look: () => desk.look(),
    operations: () => desk.operations(0),
  };
  for (const [name, ask] of Object.entries(questions))
    must((await ask()).code !== 'internal', 7, () => `${name} of a folder that is gone is answered with a fault`);
  const said = await desk.verdict('reject', { all: true }, { dryRun: false });
  stage.say(`  reject all (${verdict}) = ${said.ok ? JSON.stringify(said.value) : said.code}`);
  must(said.code !== 'internal', 7, () => `a verdict on a folder that is gone: ${JSON.stringify(said.value)}`);
}
