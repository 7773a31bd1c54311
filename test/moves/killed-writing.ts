import { setTimeout as sleep } from 'node:timers/promises';
import { request } from './at-once.js';
import { kill, start } from './killed.js';
import type { Stage } from './stage.js';
import { allTokens } from './verdicts.js';
import { must } from './violation.js';

/** The daemon is killed while it writes: afterwards all of it is done and on record, or nothing is. */
export async function killedWriting(stage: Stage): Promise<void> {
  const what = stage.chance.pick(['reject', 'restore'] as const);
  const asked = stage.murky ? null : await request(stage, what);
  if (asked === null) return;
  stage.table.count('When', `daemon killed during our own ${what}`);
  stage.say(`the daemon is killed during our own ${what}`);
  const before = allTokens(stage, stage.now);
  const answer = asked().catch(() => null);
  await sleep(stage.chance.below(LATEST_MS));
  await kill(stage);
  const said = await answer;
  stage.say(`  = ${said === null ? 'no answer' : said.ok ? JSON.stringify(said.value) : said.code}`);
  await start(stage);
  const recorded = await stage.settle();
  const strange = recorded.filter(({ kind }) => kind === 'changed').map(({ path }) => path);
  must(strange.length === 0, 3, () => `a ${what} that was killed left something half done: ${strange.join(' ')}`);
  const isOnRecord = stage.ledger.operations.some(({ seq }) => seq === said?.value.seq);
  must(said?.ok !== true || isOnRecord, 6, () => `a ${what} was answered with success, and is not on record`);
  const there = allTokens(stage, stage.now);
  const lost = [...before].filter(
    (token) =>
      token.startsWith('~human') && !there.has(token) && !stage.moved.has(token) && !stage.tokens.isLoose(token),
  );
  must(lost.length === 0, 1, () => `a ${what} that was killed took lines of people: ${lost.join(' ')}`);
}

/** Long enough for all of it to be over now and then. */
const LATEST_MS = 60;
