import type { Named, Recorded } from './ledger.js';
import type { Stage } from './stage.js';
import { HUMAN, isAgents, MCP_WRITER, PROGRAM, START, writerOfCall } from './token.js';
import { must } from './violation.js';

/** Who did something on disk since the last look. */
export type Deed =
  | { readonly by: 'human' }
  /** A person's git: whether what it brings is said to be theirs or nobody's is left open. */
  | { readonly by: 'git' }
  | { readonly by: 'program' }
  | { readonly by: 'agent'; readonly session: string; readonly call: string };

/** Nobody is named who could not have made it, and nobody is called unknown who alone could. */
export function checkAuthors(stage: Stage, recorded: readonly Recorded[], deeds: readonly Deed[]): void {
  const alone = stage.open.length === 0 && !stage.murky ? onlyHand(deeds) : null;
  for (const change of stage.ledger.attributed.splice(0)) checkAttributed(stage, change);
  for (const change of recorded) {
    // A person's own words settle a conflict.
    if (change.kind === 'resolved') for (const token of stage.tokensOf(change.after?.id)) stage.seen.add(token);
    if (change.author === null) continue;
    const author = stage.ledger.changes.get(change.id)?.author ?? change.author;
    checkTokens(stage, change, author, placeNow(change, recorded));
    if (alone !== null) checkAlone(change, author, alone);
  }
}

function onlyHand(deeds: readonly Deed[]): Deed | null {
  const [first] = deeds;
  return first !== undefined && deeds.every((deed) => JSON.stringify(deed) === JSON.stringify(first)) ? first : null;
}

function checkAlone(change: Recorded, author: Named, hand: Deed): void {
  const complain = () =>
    `${change.id} ${change.path}: made by ${JSON.stringify(hand)} alone, recorded as ${JSON.stringify(author)}`;
  switch (hand.by) {
    case 'human':
    case 'program':
      must(author.kind === 'human' || isReconciled(change, author), 2, complain);
      return;
    case 'git':
      must(author.kind !== 'agent', 2, complain);
      return;
    case 'agent':
      must(author.kind === 'agent' && author.session === hand.session && author.call === hand.call, 2, complain);
  }
}

/** Until the tree was gone through after a restart, it may have happened while nobody watched, and nobody is named. */
function isReconciled({ cause }: Recorded, author: Named): boolean {
  return cause === 'reconcile' && author.kind === 'unknown' && author.candidates.length === 0;
}

/** Where the file is by now that was changed: what came after it in the same news may have moved it. */
function placeNow({ seq, path }: Recorded, recorded: readonly Recorded[]): string {
  let [place, since] = [path, seq];
  for (const change of recorded) {
    // The moves of one operation happen at once: two files may have swapped their names.
    const to = change.seq > since ? movedFrom(place, change, recorded) : null;
    if (to !== null) [place, since] = [to, change.seq];
  }
  return place;
}

/** Where one step of the news took the file at a place: by a rename, or by a swap, which is a change at each of two paths. */
function movedFrom(place: string, { seq, path, fromPath, before, after }: Recorded, recorded: readonly Recorded[]) {
  if (fromPath === place) return path;
  if (path !== place || fromPath !== null || before === null || after === null) return null;
  const isThere = (other: Recorded) => other.seq === seq && other.path !== place && other.after?.id === before.id;
  return recorded.find(isThere)?.path ?? null;
}

/** A line that comes up for the first time was written by whom its token names. `place`: where the file is by now. */
function checkTokens(stage: Stage, change: Recorded, author: Named, place: string): void {
  const before = new Set(stage.tokensOf(change.before?.id));
  // It is on record that they were there, though nobody may have seen them when they came.
  for (const token of before) stage.seen.add(token);
  for (const token of stage.tokensOf(change.after?.id)) {
    if (before.has(token) || stage.seen.has(token) || stage.isCopy(token, place)) continue;
    stage.seen.add(token);
    if (stage.tokens.isLoose(token)) continue;
    const writers = stage.tokens.writersOf(token);
    const isOne = ({ session, call }: { readonly session: string; readonly call: string }) =>
      writers.some((writer) => isWriter(writer, session, call));
    const complain = () => `${change.id} ${change.path}: ${token} is recorded as ${JSON.stringify(author)}`;
    if (author.kind === 'agent') must(isOne(author), 2, complain);
    if (author.kind === 'human')
      must(
        writers.some((writer) => PEOPLE.has(writer)),
        2,
        complain,
      );
    if (author.kind === 'unknown') stage.uncertain.add(token);
    if (author.kind === 'unknown' && isAgents(token))
      must(author.candidates.length === 0 || author.candidates.some(isOne), 8, complain);
  }
}

const PEOPLE: ReadonlySet<string> = new Set([HUMAN, START, PROGRAM]);

/** Who is named afterwards must have written every line of it. */
function checkAttributed(stage: Stage, { id, path, before, after, author }: Recorded): void {
  stage.say(`    ${id} ${path} is said to be by ${JSON.stringify(author)}`);
  const old = new Set(stage.tokensOf(before?.id));
  const added = stage.tokensOf(after?.id).filter((token) => !old.has(token));
  if (author?.kind === 'unknown') for (const token of added) stage.uncertain.add(token);
  if (author?.kind !== 'agent') return;
  const wrong = added
    .filter((token) => !stage.tokens.isLoose(token) && !stage.moved.has(token))
    .filter((token) => !stage.tokens.writersOf(token).some((writer) => isWriter(writer, author.session, author.call)));
  must(
    wrong.length === 0,
    2,
    () => `${id} ${path} is given to ${author.session} ${author.call} afterwards, who did not write ${wrong.join(' ')}`,
  );
}

function isWriter(writer: string, session: string, call: string): boolean {
  if (writer === MCP_WRITER) return session !== 'ann' && session !== 'bob';
  return writer === writerOfCall(session, call);
}
