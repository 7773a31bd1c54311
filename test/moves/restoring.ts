import { isCovered, isIgnored } from './coverage.js';
import type { RestoreAsked } from './desk.js';
import { difference, type Photograph, sameShot } from './photograph.js';
import type { Stage } from './stage.js';
import { isAgents, writerOf } from './token.js';
import { allTokens } from './verdicts.js';
import { must } from './violation.js';

export async function playSave(stage: Stage): Promise<void> {
  stage.table.count('What is asked of us', 'checkpoint');
  const { checkpoint } = stage.good(await stage.desk.save('by hand', stage.way()), 'a checkpoint') as {
    checkpoint: { id: string };
  };
  stage.say(`checkpoint ${checkpoint.id}`);
  await stage.settle();
  stage.copies.set(checkpoint.id, stage.now);
}

type Planned = {
  readonly token: string;
  readonly writes: readonly string[];
  readonly deletes: readonly string[];
  readonly conflicts: readonly { path: string }[];
};
type Restored = {
  readonly rescue: string | null;
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  readonly conflicts: readonly { path: string }[];
  readonly seq: number;
};

/** Back to a moment: exactly, or around what people did; all of it, or some paths. */
export async function playRestore(stage: Stage): Promise<void> {
  const { desk, chance, table } = stage;
  const id = await chooseCheckpoint(stage);
  if (id === null) return;
  const then = stage.copies.get(id)!;
  const keepMine = chance.in(0.4);
  const paths = chance.in(0.25) ? scopeOf(stage, then) : null;
  const asked: RestoreAsked = { ...(keepMine ? { keepMine } : {}), ...(paths === null ? {} : { paths }) };
  table.count('What is asked of us', keepMine ? 'restore keep-mine' : 'restore exact');
  if (paths !== null) table.count('What is asked of us', 'restore paths');
  if ([...stage.now.folders].some((folder) => !then.folders.has(folder)))
    table.count('What is asked of us', 'restore of a moment before a folder existed');
  const before = stage.now;
  const plan = stage.answered(await desk.plan(id, asked), 'a plan');
  must(difference(before, stage.photograph()).length === 0, 3, () => 'a plan wrote');
  const way = stage.way();
  const token = plan.ok && (way === 'MCP' || chance.in(0.7)) ? (plan.value.token as string) : null;
  if (way === 'MCP' && token === null) return;
  stage.say(`restore ${id} ${JSON.stringify(asked)} over ${way}`);
  const said = stage.answered(await desk.restore(id, asked, token, way), 'restore');
  stage.say(`  = ${said.ok ? JSON.stringify(said.value) : said.code}`);
  await stage.settle();
  must(
    said.ok === plan.ok,
    3,
    () =>
      `the plan says ${plan.code || 'can be done'}, then it is ${said.code || 'done'}: ${JSON.stringify(said.value)}`,
  );
  if (!said.ok) {
    must(difference(before, stage.now).length === 0, 3, () => `refused with ${said.code}, and files were written`);
    must(
      said.code === 'nothing-to-do' || said.code === 'no-such-file',
      3,
      () => `cannot be restored: ${said.code} ${JSON.stringify(said.value)}`,
    );
    return;
  }
  const answer = said.value as Restored;
  checkPlan(plan.value as Planned, answer);
  const done = new Set([...answer.written, ...answer.deleted]);
  for (const path of difference(before, stage.now))
    must(done.has(path), 3, () => `${path} was changed and is not said to be`);
  if (keepMine) checkKeepMine(stage, before);
  else checkExact(stage, before, then, paths, momentOf(stage, id));
  // Nothing to do is no decision: then the number is that of whatever came last.
  if (answer.rescue === null) return;
  stage.copies.set(answer.rescue, before);
  for (const token of allTokens(stage, then)) if (!allTokens(stage, before).has(token)) stage.moved.add(token);
  stage.decisions.set(answer.seq, { seq: answer.seq, before, after: stage.now });
}

async function chooseCheckpoint(stage: Stage): Promise<string | null> {
  const { checkpoints } = stage.good(await stage.desk.checkpoints(), 'checkpoints') as {
    checkpoints: readonly { id: string; reason: string; callId?: string }[];
  };
  const recent = checkpoints.slice(-CHECKPOINTS_LIMIT);
  for (const { id, reason, callId } of recent) {
    const around = stage.around.get(callId ?? '');
    if (around === undefined || stage.copies.has(id)) continue;
    if (reason === 'before-tool') stage.copies.set(id, around.before);
    if (reason === 'after-tool') stage.copies.set(id, around.after);
  }
  const known = recent.map(({ id }) => id).filter((id) => stage.copies.has(id));
  return known.length === 0 ? null : stage.chance.pick(known);
}

const CHECKPOINTS_LIMIT = 30;

function scopeOf(stage: Stage, then: Photograph): readonly string[] | null {
  const all = [...new Set([...then.files.keys(), ...stage.now.files.keys(), ...then.folders])];
  return all.length === 0 ? null : [stage.chance.pick(all)];
}

function checkPlan(plan: Planned, done: Restored): void {
  const sorted = (list: readonly string[]) => JSON.stringify([...list].sort());
  must(
    sorted(plan.writes) === sorted(done.written),
    3,
    () => `planned to write ${sorted(plan.writes)}, wrote ${sorted(done.written)}`,
  );
  must(
    sorted(plan.deletes) === sorted(done.deleted),
    3,
    () => `planned to delete ${sorted(plan.deletes)}, deleted ${sorted(done.deleted)}`,
  );
}

/** Ignored files that only people made are left alone; everything else is as it was. */
function checkExact(
  stage: Stage,
  before: Photograph,
  then: Photograph,
  paths: readonly string[] | null,
  since: number,
): void {
  const inScope = (path: string) =>
    paths === null || paths.some((scope) => path === scope || path.startsWith(`${scope}/`));
  const tracked = stage.world.tracked();
  // `git clean` may have taken the rules away, where they are not committed: then nothing is ignored when the restore comes.
  const hasRules = before.files.has('.gitignore');
  for (const path of new Set([...then.files.keys(), ...stage.now.files.keys(), ...before.files.keys()])) {
    const now = stage.now.files.get(path);
    const wanted = inScope(path) ? then.files.get(path) : before.files.get(path);
    const shot = now ?? wanted ?? before.files.get(path);
    if (shot !== undefined && !isCovered(path, shot)) continue;
    // An ignored file whose name was said, or that of its ignored folder, is meant.
    const isNamed = paths?.some((scope) => path === scope || (path.startsWith(`${scope}/`) && isIgnored(scope)));
    const isApart = hasRules && isIgnored(path) && !tracked.has(path) && isNamed !== true;
    const hands = isApart ? handsSince(stage, path, since) : new Set();
    // One that a person removed comes back or not: nothing is lost either way.
    if (hands.has('unknown') || (hands.has('human') && !before.files.has(path))) continue;
    if (hands.has('human') && !hands.has('agent')) {
      must(
        sameShot(now, before.files.get(path)),
        1,
        () => `${path} is ignored and only a person changed it since, and the restore did too`,
      );
      continue;
    }
    must(
      sameShot(now, wanted),
      3,
      () => `${path} is not as it was at the checkpoint (${inScope(path) ? 'in' : 'out of'} scope)`,
    );
  }
}

/** What a checkpoint stands for: one of the moment before a call is stored when the call has ended. */
function momentOf(stage: Stage, id: string): number {
  const seq = Number(id.slice(1));
  const saved = stage.ledger.operations.find((operation) => operation.seq === seq);
  return typeof saved?.asOf === 'number' ? saved.asOf : seq;
}

/** Who changed a file after an operation. */
function handsSince(stage: Stage, path: string, since: number): ReadonlySet<string> {
  const hands = new Set<string>();
  for (const change of stage.ledger.changes.values())
    if (change.seq > since && (change.path === path || change.fromPath === path) && change.author !== null)
      hands.add(change.author.kind);
  return hands;
}

function checkKeepMine(stage: Stage, before: Photograph): void {
  const there = allTokens(stage, stage.now);
  const lost = [...allTokens(stage, before)].filter(
    (token) => !there.has(token) && !stage.tokens.isLoose(token) && !stage.moved.has(token),
  );
  const people = lost.filter((token) => !isAgents(token));
  must(
    people.length === 0,
    1,
    () =>
      `a restore that keeps mine took lines of people: ${people.map((token) => `${token} (${writerOf(token)})`).join(' ')}`,
  );
}
