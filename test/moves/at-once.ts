import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isCovered } from './coverage.js';
import { difference } from './photograph.js';
import type { Stage } from './stage.js';
import { HUMAN } from './token.js';
import { allTokens, pendingChanges, perhapsTheirs } from './verdicts.js';
import { must } from './violation.js';

/** People save while we write: every line that they saved is there afterwards. */
export async function playAtOnce(stage: Stage): Promise<void> {
  if (stage.open.length > 0 || stage.murky) return;
  const what = stage.chance.pick(['reject', 'restore', 'gc'] as const);
  const asked = await request(stage, what);
  if (asked === null) return;
  stage.table.count('When', `during our own ${what}`);
  stage.table.count('human, editor', 'a save during our own write');
  const before = stage.now;
  const saved: string[] = [];
  let over = false;
  stage.say(`human saves during our own ${what}`);
  const saving = async () => {
    const files = [...stage.now.files]
      .filter(([path, shot]) => isCovered(path, shot) && shot.mode !== '120000')
      .map(([path]) => path);
    for (let count = 0; count < SAVES_LIMIT && !over; count++) {
      const place = join(stage.world.root, stage.chance.pick(files));
      if (existsSync(place)) {
        const line = stage.tokens.line(HUMAN);
        appendFileSync(place, `\n${line}\n`);
        saved.push(line.split(' ')[0]!);
      }
      await setImmediate();
    }
  };
  const [answer] = await Promise.all([
    asked().finally(() => {
      over = true;
    }),
    saving(),
  ]);
  stage.answered(answer, `${what} with saves in between`);
  stage.say(`  = ${answer.ok ? JSON.stringify(answer.value) : answer.code}, ${saved.length} saves`);
  stage.did({ by: 'human' });
  await stage.settle();
  const there = allTokens(stage, stage.now);
  const lost = saved.filter((token) => !there.has(token));
  must(lost.length === 0, 1, () => `saved during our own ${what} and gone: ${lost.join(' ')}`);
  // What else came or went is a matter of who was first.
  for (const path of difference(before, stage.now))
    for (const shot of [before.files.get(path), stage.now.files.get(path)])
      for (const token of stage.tokensOf(shot?.id)) stage.moved.add(token);
}

const SAVES_LIMIT = 60;

export async function request(stage: Stage, what: 'reject' | 'restore' | 'gc') {
  const { desk } = stage;
  switch (what) {
    case 'gc':
      return () => desk.gc(false);
    case 'reject': {
      const pending = await pendingChanges(stage);
      return pending.length === 0 ? null : () => desk.verdict('reject', { all: true }, { dryRun: false });
    }
    case 'restore': {
      const known = [...stage.copies.keys()].slice(-5);
      if (known.length === 0) return null;
      const id = stage.chance.pick(known);
      return () => desk.restore(id, { keepMine: true }, null);
    }
  }
}

/** Deciding twice is deciding once, one after the other or at the same time. */
export async function playTwice(stage: Stage): Promise<void> {
  const pending = await pendingChanges(stage);
  if (pending.length === 0 || stage.open.length > 0) return;
  const selection = { changes: [stage.chance.pick(pending).id] };
  const atOnce = stage.chance.in(0.5);
  stage.table.count('What is asked of us', atOnce ? 'from two at once' : 'twice');
  stage.say(`reject ${JSON.stringify(selection)} ${atOnce ? 'from two at once' : 'twice'}`);
  const before = stage.now;
  const ask = () => stage.desk.verdict('reject', selection, { dryRun: false });
  const first = ask();
  const answers = atOnce ? await Promise.all([first, ask()]) : [await first];
  const middle = stage.photograph();
  if (!atOnce) answers.push(await ask());
  for (const answer of answers) stage.answered(answer, 'a second reject');
  stage.say(`  = ${answers.map((answer) => (answer.ok ? JSON.stringify(answer.value) : answer.code)).join(' and ')}`);
  await stage.settle();
  if (!atOnce) must(difference(middle, stage.now).length === 0, 3, () => 'rejecting again wrote again');
  const lost = [...allTokens(stage, before)].filter(
    (token) => token.startsWith('~human') && !allTokens(stage, stage.now).has(token),
  );
  const asked = perhapsTheirs(stage, [...stage.ledger.changes.values()], new Set(selection.changes));
  const people = lost.filter((token) => !stage.moved.has(token) && !stage.tokens.isLoose(token) && !asked.has(token));
  must(people.length === 0, 1, () => `rejecting twice took lines of people: ${people.join(' ')}`);
}

/** A verdict on an older state of a file is refused, and says what moved. */
export async function playOlder(stage: Stage): Promise<void> {
  if (stage.open.length > 0) return;
  const pending = await pendingChanges(stage);
  const movedOn = pending.find(({ id, path }) =>
    [...stage.ledger.changes.values()].some(
      (other) => other.path === path && other.seq > Number(id.slice(1).split('.')[0]),
    ),
  );
  if (movedOn === undefined) return;
  stage.table.count('What is asked of us', 'decided on an older state');
  const at = Number(movedOn.id.slice(1).split('.')[0]);
  const before = stage.now;
  const said = stage.answered(
    await stage.desk.verdict('reject', { changes: [movedOn.id] }, { dryRun: false, at }),
    'an old verdict',
  );
  await stage.settle();
  must(said.code === 'moved', 3, () => `a verdict on an older state of ${movedOn.path} was not refused: ${said.code}`);
  must(difference(before, stage.now).length === 0, 3, () => 'a refused verdict wrote');
}
