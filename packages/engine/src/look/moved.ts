import {
  type Attribution,
  callKey,
  callsOf,
  type FileVersion,
  isCandidate,
  type Link,
  sameHand,
  sameVersion,
  type WorkspacePath,
} from '@palimpsest/core';
import type { FileState } from '../log/log.js';
import { versionOf } from '../store/known-tree.js';
import { type Claims, type Scene, withInodes } from './claims.js';
import type { Observation } from './observer.js';

/** A file that went from one name to another: it has the number of the one that is gone. */
export type Moved = {
  readonly from: Observation & { readonly before: FileState };
  readonly to: Observation & { readonly after: FileState };
};

/** The moves among what was observed at once. */
export function movesAmong(observations: readonly Observation[]): readonly Moved[] {
  const gone = new Map<number, Observation & { readonly before: FileState }>();
  for (const { path, before, after } of observations)
    if (after === null && before !== null && before.ino !== 0) gone.set(before.ino, { path, before, after });
  return observations.flatMap(({ path, before, after }) => {
    if (before !== null || after === null) return [];
    const from = gone.get(after.ino);
    // A file has several new names when it was linked: it went to one of them.
    gone.delete(after.ino);
    return from === undefined ? [] : [{ from, to: { path, before, after } }];
  });
}

/**
 * The same where the new name was another file's: one was moved over the other, or they changed places. Who alone can have
 * made one side made both; and where nobody can have made one, nobody made the other.
 */
export function ofOneHand(links: readonly Link[], observations: readonly Observation[]): readonly Link[] {
  const hands = new Map(links.map(({ path, attribution }) => [path, attribution]));
  for (const [to, from] of exchangesAmong(observations)) {
    const [came, went] = [hands.get(to), hands.get(from)];
    if (came === undefined || went === undefined) continue;
    const hand = isNarrower(came, went) ? came : isNarrower(went, came) ? went : null;
    if (hand !== null) hands.set(to, hand).set(from, hand);
  }
  const times = new Map<WorkspacePath, number>();
  for (const { path } of links) times.set(path, (times.get(path) ?? 0) + 1);
  return links.map((link) => (times.get(link.path) === 1 ? { ...link, attribution: hands.get(link.path)! } : link));
}

/** By path, where the file that is there now stood before; the bytes tell it from one that only got its number. */
function exchangesAmong(observations: readonly Observation[]): readonly (readonly [WorkspacePath, WorkspacePath])[] {
  const left = new Map<number, Observation>();
  for (const one of observations)
    if (one.before !== null && one.before.ino !== 0 && one.before.ino !== one.after?.ino) left.set(one.before.ino, one);
  return observations.flatMap(({ path, before, after }) => {
    const from = before === null || after === null ? undefined : left.get(after.ino);
    const isSame = from !== undefined && sameVersion(versionOf(from.before), versionOf(after));
    return isSame ? [[path, from.path] as const] : [];
  });
}

/** Whether it leaves fewer who can have been it, and none that the other does not. */
function isNarrower({ author }: Attribution, other: Attribution): boolean {
  if (other.evidence !== 'unknown' && other.evidence !== 'window') return false;
  if (author.kind === 'human') return other.author.kind !== 'human';
  return author.kind === 'agent' && isCandidate(other.author, author);
}

/** What became of the file before it went, under the name that it had: nothing, or it was written. */
export function writtenBefore({ from, to }: Moved): Observation & { readonly after: FileState } {
  return { path: from.path, before: from.before, after: { ...to.after, path: from.path } };
}

/**
 * One hand moves a file: who cannot have made the new name did not take the old one away, though it may have written
 * the file before. Null where they are judged each for itself: the disk gives the number of a file that is gone to another.
 * `wrote`: what is known already of what became of a path, so that whose it is need not have written it again.
 */
export async function linksOfMove(
  move: Moved,
  claims: Claims,
  sceneAt: (path: WorkspacePath) => Scene,
  wrote: (path: WorkspacePath) => readonly Link[],
): Promise<readonly Link[] | null> {
  const { from, to } = move;
  const { attribution } = (await claims.linksOf(to, sceneAt(to.path))).at(-1)!;
  const moved = (gone: FileVersion, came: FileVersion) => [
    ...withInodes([{ path: from.path, before: gone, after: null, attribution }], from),
    ...withInodes([{ path: to.path, before: null, after: came, attribution }], to),
  ];
  const [old, next] = [versionOf(from.before)!, versionOf(to.after)!];
  if (sameVersion(old, next)) return moved(old, next);
  const written = writtenBefore(move);
  const before = await claims.linksOf(written, sceneAt(from.path));
  if (before.some(isProven)) return [...withInodes(before, written), ...moved(next, next)];
  const [leaving] = await claims.linksOf(from, sceneAt(from.path));
  if (sameHand(leaving!.attribution, attribution) || !(await claims.isAlike(old, next))) return null;
  // Who only gave it another name did not write what a call may have written under the old one.
  const movers = [...callsIn([{ attribution }]), ...callsIn(wrote(from.path))];
  const isWrittenBefore = callsIn(before).some((key) => !movers.includes(key));
  return isWrittenBefore ? [...withInodes(before, written), ...moved(next, next)] : moved(old, next);
}

/** While somebody watches, only a proof makes a call the author of what it may not have been there for. */
function isProven({ attribution: { author, evidence } }: Link): boolean {
  return author.kind === 'agent' && evidence !== 'window';
}

function callsIn(links: readonly Pick<Link, 'attribution'>[]): readonly string[] {
  return links
    .flatMap(({ attribution }) => callsOf(attribution.author))
    .map(({ session, call }) => callKey(session, call));
}
