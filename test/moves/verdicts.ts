import type { Selection } from './desk.js';
import type { Recorded } from './ledger.js';
import { difference, type Photograph, sameShot } from './photograph.js';
import type { Stage } from './stage.js';
import { isAgents } from './token.js';
import { must } from './violation.js';

type ChangeJson = {
  readonly id: string;
  readonly path: string;
  readonly fromPath?: string;
  readonly session: string | null;
  readonly callId: string | null;
  readonly kind: string;
  readonly status: string;
  readonly reversible: boolean;
  readonly hunks: readonly { readonly id: string; readonly status: string }[];
};
type Decided = {
  readonly rejected?: readonly string[];
  readonly accepted?: readonly string[];
  readonly cascaded: readonly string[];
  readonly conflicts: readonly string[];
  readonly left: readonly { readonly id: string; readonly why: string }[];
  readonly written: readonly string[];
  readonly seq: number;
};

export async function pendingChanges(stage: Stage): Promise<readonly ChangeJson[]> {
  const { changes } = stage.good(await stage.desk.changes('pending'), 'pending changes');
  return changes as readonly ChangeJson[];
}

/** Accepts or rejects something that is pending, and holds the answer against the disk. */
export async function playVerdict(stage: Stage, verdict: 'accept' | 'reject'): Promise<void> {
  const pending = await pendingChanges(stage);
  if (pending.length === 0) return;
  const { name, selection } = choose(stage, pending);
  stage.table.count('What is asked of us', `${verdict} ${name}`);
  const cascade = verdict === 'reject' && stage.chance.in(0.1) ? { cascade: 'file' as const } : {};
  if ('cascade' in cascade) stage.table.count('What is asked of us', 'reject with the file cascade');
  if (selection.hunks !== undefined) stage.parted.add(partOf(selection.hunks[0]!));
  const way = stage.way();
  const before = stage.now;
  const dry = stage.answered(
    await stage.desk.verdict(verdict, selection, { dryRun: true, ...cascade }, way),
    'a dry run',
  );
  must(difference(before, stage.photograph()).length === 0, 3, () => 'a dry run wrote');
  stage.say(`${verdict} ${JSON.stringify(selection)} ${JSON.stringify(cascade)} over ${way}`);
  const said = stage.answered(
    await stage.desk.verdict(verdict, selection, { dryRun: false, ...cascade }, way),
    verdict,
  );
  stage.say(`  = ${said.ok ? JSON.stringify(said.value) : said.code}`);
  const recorded = await stage.settle();
  must(
    said.ok === dry.ok,
    3,
    () => `the dry run says ${dry.code || 'done'}, then it is ${said.code || 'done'}: ${JSON.stringify(said.value)}`,
  );
  if (!said.ok) {
    must(difference(before, stage.now).length === 0, 3, () => `refused with ${said.code}, and files were written`);
    must(
      said.code === 'moved' || (said.code === 'not-reversible' && isAloneAndLost(stage, pending, selection)),
      3,
      () => `pending changes cannot be decided: ${said.code} ${JSON.stringify(said.value)}`,
    );
    return;
  }
  const answer = said.value as Decided;
  checkMentioned(pending, selection, answer);
  compareDry(dry.value as Decided, answer);
  if (answer.conflicts.length > 0) stage.table.count('What is asked of us', 'a conflict');
  if (verdict === 'accept') checkAccept(stage, before);
  else checkReject(stage, before, answer, recorded, namedIn(stage, pending, selection));
  stage.decisions.set(answer.seq, { seq: answer.seq, before, after: stage.now });
}

/** The one thing that was named cannot be taken back: files beyond the limit, and what was forgotten. */
function isAloneAndLost(
  stage: Stage,
  pending: readonly ChangeJson[],
  { changes = [], hunks = [] }: Selection,
): boolean {
  const named = [...changes, ...hunks.map(partOf)];
  const found = pending.find(({ id }) => named.length === 1 && id === named[0]);
  const { before, after } = stage.ledger.changes.get(found?.id ?? '') ?? { before: null, after: null };
  return found?.reversible === false || [before, after].some((shot) => shot !== null && stage.forgotten.has(shot.id));
}

function choose(
  stage: Stage,
  pending: readonly ChangeJson[],
): { readonly name: string; readonly selection: Selection } {
  const change = stage.chance.pick(pending);
  const folder = change.path.split('/').slice(0, -1).join('/');
  const roll = stage.chance.next();
  if (roll < 0.35) {
    if (change.kind === 'rename') stage.table.count('What is asked of us', 'reject half of a rename');
    return { name: 'a change', selection: { changes: [change.id] } };
  }
  if (roll < 0.45) {
    const hunk = change.hunks.find(({ status }) => status === 'pending');
    if (hunk !== undefined) return { name: 'a hunk', selection: { hunks: [hunk.id] } };
  }
  if (roll < 0.6) return { name: 'a file', selection: { path: change.path } };
  if (roll < 0.7 && folder !== '') return { name: 'a folder', selection: { path: folder } };
  if (roll < 0.85 && change.callId !== null) return { name: 'a call', selection: { call: change.callId } };
  if (roll < 0.95 && change.session !== null) return { name: 'a session', selection: { session: change.session } };
  return { name: 'all', selection: { all: true } };
}

function partOf(hunk: string): string {
  return hunk.split('.').slice(0, 2).join('.');
}

/** Each answer says of everything that was chosen what became of it. */
function checkMentioned(pending: readonly ChangeJson[], selection: Selection, answer: Decided): void {
  const { changes, path, call, session, all } = selection;
  const chosen = pending.filter(
    (change) =>
      all === true ||
      changes?.includes(change.id) === true ||
      (path !== undefined && (change.path === path || change.path.startsWith(`${path}/`))) ||
      (call !== undefined && change.callId === call) ||
      (session !== undefined && change.session === session),
  );
  const mentioned = new Set([
    ...(answer.accepted ?? []),
    ...(answer.rejected ?? []),
    ...answer.cascaded,
    ...answer.conflicts,
    ...answer.left.map(({ id }) => id),
  ]);
  // Of a change that was decided in part before, what was open is named hunk by hunk.
  const isMentioned = ({ id, hunks }: ChangeJson) => {
    const open = hunks.filter(({ status }) => status === 'pending');
    return mentioned.has(id) || (open.length > 0 && open.every((hunk) => mentioned.has(hunk.id)));
  };
  const silent = chosen.filter((change) => !isMentioned(change));
  must(silent.length === 0, 3, () => `chosen, and not a word of it: ${silent.map(({ id }) => id).join(' ')}`);
}

function compareDry(dry: Decided, done: Decided): void {
  for (const field of ['rejected', 'accepted', 'cascaded', 'conflicts', 'left', 'written'] as const)
    must(
      JSON.stringify(dry[field]) === JSON.stringify(done[field]),
      3,
      () => `the dry run said ${field} ${JSON.stringify(dry[field])}, then it was ${JSON.stringify(done[field])}`,
    );
}

function checkAccept(stage: Stage, before: Photograph): void {
  const written = difference(before, stage.now);
  must(written.length === 0, 3, () => `accepting wrote ${written.join(', ')}`);
}

/** The rejected text is gone, what it replaced is back, and nothing else moved. */
function checkReject(
  stage: Stage,
  before: Photograph,
  answer: Decided,
  recorded: readonly Recorded[],
  named: ReadonlySet<string>,
): void {
  const written = new Set([
    ...answer.written,
    ...recorded.flatMap(({ path, fromPath }) => (fromPath === null ? [path] : [path, fromPath])),
  ]);
  for (const path of difference(before, stage.now))
    must(written.has(path), 3, () => `${path} was changed and is not among what was written`);
  const ids = [...new Set([...(answer.rejected ?? []), ...answer.cascaded].map(partOf))];
  const taken = ids.map((id) => stage.ledger.changes.get(id)).filter((change) => change !== undefined);
  const added = new Set(taken.flatMap((change) => fresh(stage, change.before?.id, change.after?.id)));
  const removed = new Set(taken.flatMap((change) => fresh(stage, change.after?.id, change.before?.id)));
  checkLost(stage, before, added, perhapsTheirs(stage, taken, named));
  checkGained(stage, before, removed);
  for (const change of taken) checkGone(stage, change, taken, answer);
  checkOrder(stage, before, taken);
}

function fresh(stage: Stage, from: string | undefined, to: string | undefined): readonly string[] {
  const old = new Set(stage.tokensOf(from));
  return stage.tokensOf(to).filter((token) => !old.has(token));
}

export function allTokens(stage: Stage, photograph: Photograph): ReadonlySet<string> {
  return new Set([...photograph.files.values()].flatMap(({ id }) => stage.tokensOf(id)));
}

/** Changes that were asked for one by one: by their ids, or by the name of their file, which may have had others before. */
function namedIn(stage: Stage, pending: readonly ChangeJson[], selection: Selection): ReadonlySet<string> {
  const { path, changes = [], hunks = [] } = selection;
  const isOfFile = ({ id, path: now, fromPath }: ChangeJson) => {
    const then = stage.ledger.changes.get(id);
    return path !== undefined && [now, fromPath, then?.path, then?.fromPath].includes(path);
  };
  const ofFile = pending.filter(isOfFile).flatMap(({ id }) => {
    const change = stage.ledger.changes.get(id);
    return change === undefined ? [id] : [id, ...lineageOf(stage, change)];
  });
  return new Set([...changes, ...hunks.map(partOf), ...ofFile]);
}

/** What nobody could be named for may have been a person's: it goes when it was asked for. */
export function perhapsTheirs(
  stage: Stage,
  taken: readonly Recorded[],
  named: ReadonlySet<string>,
): ReadonlySet<string> {
  const asked = taken.filter(({ id, author }) => author?.kind === 'unknown' && named.has(id));
  return new Set(asked.flatMap((change) => fresh(stage, change.before?.id, change.after?.id)));
}

/** Only what the rejected changes had brought may go, and of people's nothing that was not asked for. */
function checkLost(stage: Stage, before: Photograph, added: ReadonlySet<string>, asked: ReadonlySet<string>): void {
  const there = allTokens(stage, stage.now);
  const lost = [...allTokens(stage, before)].filter((token) => !there.has(token) && !added.has(token));
  must(lost.length === 0, 1, () => `rejecting took lines that are not the change’s: ${lost.join(' ')}`);
  const people = [...allTokens(stage, before)].filter(
    (token) =>
      !there.has(token) &&
      !isAgents(token) &&
      !stage.tokens.isLoose(token) &&
      !stage.moved.has(token) &&
      !asked.has(token),
  );
  must(people.length === 0, 1, () => `rejecting took lines of people: ${people.join(' ')}`);
}

function checkGained(stage: Stage, before: Photograph, removed: ReadonlySet<string>): void {
  const there = allTokens(stage, before);
  const come = [...allTokens(stage, stage.now)].filter((token) => !there.has(token) && !removed.has(token));
  must(come.length === 0, 3, () => `rejecting brought lines that the change had not taken: ${come.join(' ')}`);
}

/** Of a change that was rejected as a whole nothing stays; and where nothing came on top, the bytes are those before it. */
function checkGone(stage: Stage, change: Recorded, taken: readonly Recorded[], answer: Decided): void {
  if (stage.parted.has(change.id) || answer.conflicts.length > 0) return;
  const there = allTokens(stage, stage.now);
  const own = fresh(stage, change.before?.id, change.after?.id).filter(
    (token) => !stage.moved.has(token) && !stage.tokens.isLoose(token) && isAgents(token),
  );
  const left = own.filter((token) => there.has(token) && !isBackInPlace(stage, token, taken));
  must(
    left.length === 0,
    3,
    () => `${change.id} ${change.path} was rejected and its lines are still there: ${left.join(' ')}`,
  );
  const before = lineageOf(stage, change);
  const isSameFile = (other: Recorded) =>
    other === change || before.has(other.id) || lineageOf(stage, other).has(change.id);
  const place = change.fromPath ?? change.path;
  const untouched = movedAlong(stage, change).every((other) => lastTouch(stage, other) === other.id);
  if (taken.filter(isSameFile).length !== 1 || !untouched || wasSwitchedSince(stage, change, before)) return;
  const now = stage.now.files.get(place);
  must(
    change.before === null ? now === undefined : sameShot(now, change.before),
    3,
    () => `${change.id} ${place} was rejected with nothing on top of it, and is not what it was before`,
  );
}

/** Whether a decision since was about one of these, which were out of sight then: it shows only now. */
function wasSwitchedSince(stage: Stage, { seq }: Recorded, earlier: ReadonlySet<string>): boolean {
  const verdict = lastDecision(stage);
  return stage.ledger.operations.some((operation) => {
    if (operation.seq <= seq || operation.seq >= verdict) return false;
    const { whole = [], parts = [] } = (operation.switched ?? {}) as { whole?: string[]; parts?: string[] };
    return [...whole, ...parts.map(partOf)].some((id) => earlier.has(id));
  });
}

/** A line that one rejected change had taken from a file and another had put into this one belongs where it was. */
function isBackInPlace(stage: Stage, token: string, taken: readonly Recorded[]): boolean {
  const places = new Set(
    taken
      .filter(({ before }) => stage.tokensOf(before?.id).includes(token))
      .map(({ path, fromPath }) => fromPath ?? path),
  );
  return [...stage.now.files].every(([path, { id }]) => places.has(path) || !stage.tokensOf(id).includes(token));
}

/** The changes that a file went through before this one, under all names that it had. */
function lineageOf(stage: Stage, { id, path, fromPath }: Recorded): ReadonlySet<string> {
  const lineage = new Set<string>();
  let name = fromPath ?? path;
  const earlier = [...stage.ledger.changes.values()];
  for (const change of earlier
    .slice(
      0,
      earlier.findIndex((one) => one.id === id),
    )
    .reverse()) {
    if (change.path !== name) continue;
    lineage.add(change.id);
    name = change.fromPath ?? name;
  }
  return lineage;
}

/** The change, and where what it took from its path came up by a swap: what happens there happens to what comes back. */
function movedAlong(stage: Stage, change: Recorded): readonly Recorded[] {
  const isOtherHalf = ({ id, seq, after }: Recorded) =>
    id !== change.id && seq === change.seq && after !== null && after.id === change.before?.id;
  return [change, ...[...stage.ledger.changes.values()].filter(isOtherHalf)];
}

/** The last change of a file before this verdict. */
function lastTouch(stage: Stage, change: Recorded): string | null {
  let last: string | null = null;
  const verdict = stage.ledger.seq;
  for (const { id, path, fromPath, seq, kind } of stage.ledger.changes.values()) {
    if (seq > verdict || (kind !== 'changed' && seq === lastDecision(stage))) continue;
    if ([path, fromPath].some((name) => name !== null && (name === change.path || name === change.fromPath))) last = id;
  }
  return last;
}

function lastDecision(stage: Stage): number {
  return stage.ledger.operations.findLast(({ kind }) => kind === 'decided')?.seq ?? 0;
}

/**
 * Lines that stay keep their order. Those that a change had put into another go back to the order that they had before it,
 * or stay as they are where something else holds them; which of the two is not known where somebody turned them twice.
 */
function checkOrder(stage: Stage, before: Photograph, taken: readonly Recorded[]): void {
  const turns = taken.map((change) => ({ change, tokens: new Set(turnedBy(stage, change)) }));
  const turned = new Set(turns.flatMap(({ tokens }) => [...tokens]));
  for (const [path, shot] of stage.now.files) {
    const old = before.files.get(path);
    if (old === undefined || old.id === shot.id) continue;
    const now = stage.tokensOf(shot.id);
    const was = stage.tokensOf(old.id);
    const complain = () => `${path}: lines that stayed changed places`;
    const steady = was.filter((token) => !turned.has(token));
    must(isInOrder(steady, now), 3, complain);
    for (const { change, tokens } of turns) {
      if (tokens.size === 0 || isTurnedAgain(stage, change, tokens)) continue;
      const own = now.filter((token) => tokens.has(token));
      must(isInOrder(was, own) || isInOrder(stage.tokensOf(change.before?.id), own), 3, complain);
    }
  }
}

function isInOrder(first: readonly string[], then: readonly string[]): boolean {
  const { kept, left } = inBoth(first, then);
  return left.join(' ') === kept.join(' ');
}

function isTurnedAgain(stage: Stage, change: Recorded, tokens: ReadonlySet<string>): boolean {
  return [...stage.ledger.changes.values()].some(
    (other) => other.id !== change.id && turnedBy(stage, other).some((token) => tokens.has(token)),
  );
}

/** Lines that a change kept, and of which it turned the order. */
function turnedBy(stage: Stage, { before, after }: Recorded): readonly string[] {
  const { kept, left } = inBoth(stage.tokensOf(before?.id), stage.tokensOf(after?.id));
  return left.join(' ') === kept.join(' ') ? [] : kept;
}

/** The lines that stand once in each of two texts, in the order of the one and of the other. */
function inBoth(first: readonly string[], then: readonly string[]) {
  const both = new Set(first.filter((token) => isOnce(first, token) && isOnce(then, token)));
  return { kept: first.filter((token) => both.has(token)), left: then.filter((token) => both.has(token)) };
}

/** A formatter writes one token into many lines. */
function isOnce(tokens: readonly string[], token: string): boolean {
  return tokens.indexOf(token) >= 0 && tokens.indexOf(token) === tokens.lastIndexOf(token);
}
