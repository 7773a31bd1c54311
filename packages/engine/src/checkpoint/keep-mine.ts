import {
  agentStretches,
  type FileLife,
  type FileText,
  type FileVersion,
  filesOf,
  namesOfLife,
  type Place,
  type Seq,
  samePlace,
  sameVersion,
  takeBack,
  type WorkspacePath,
} from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import type { Log } from '../log/log.js';
import { type KnownTree, versionOf } from '../store/known-tree.js';
import { Besides, contentsAt } from '../write/beside.js';
import { type Guarded, linesAtRisk } from '../write/safeguard.js';
import type { FileWrite } from '../write/writer.js';
import { obstacleAt } from './obstacles.js';
import type { RestoreConflict } from './restore-plan.js';

type KeepMinePlan = {
  readonly files: readonly FileWrite[];
  readonly texts: readonly Uint8Array[];
  readonly conflicts: readonly RestoreConflict[];
};

/** A file as it is and as it shall be; what it is to be is null for no file. */
type Wish = {
  readonly life: FileLife;
  /** The number of the life. */
  readonly index: number;
  readonly now: Place | null;
  readonly next: Place | null;
  readonly bytes: Uint8Array | null;
};

/**
 * What it takes to have everything as it is, but without what agents did. Newest first, around everybody else's edits.
 * A file is decided as a whole, with all of its names: its text and its name go back together, or it stays as it is.
 */
export async function planKeepMine(
  root: string,
  lives: readonly FileLife[],
  inScope: (life: FileLife) => boolean,
  { known, content, log }: { readonly known: KnownTree; readonly content: ContentStore; readonly log: Log },
): Promise<KeepMinePlan> {
  const conflicts: RestoreConflict[] = [];
  let wishes: readonly Wish[] = [];
  const stays = new Set<number>();
  const refuse = (index: number, conflict: RestoreConflict) => {
    stays.add(index);
    conflicts.push(conflict);
  };
  for (const [index, life] of lives.entries()) {
    if (!inScope(life) || agentStretches(life.steps).length === 0) continue;
    const wish = await wishFor(life, known, content);
    if ('reason' in wish) refuse(index, wish);
    else if (!samePlace(wish.now, wish.next)) wishes = [...wishes, { ...wish, index }];
  }
  const pasts = new Pasts(log);
  for (;;) {
    const alone = wishes.filter(({ life }) => [...life.bound].some((other) => stays.has(other)));
    for (const wish of alone) refuse(wish.index, { path: placeOf(wish), reason: 'overlap' });
    for (const [wish, reason] of refusedPlaces(wishes, root, known))
      refuse(wish.index, { path: placeOf(wish), reason });
    const left = wishes.filter(({ index }) => !stays.has(index));
    const risky = await linesAtRisk(
      left.map((wish) => guardedOf(wish, pasts)),
      content,
    );
    for (const at of risky) refuse(left[at]!.index, { path: placeOf(left[at]!), reason: 'overlap' });
    const settled = left.length === wishes.length && risky.size === 0;
    wishes = left.filter(({ index }) => !stays.has(index));
    if (settled)
      return { files: writesOf(wishes, known), texts: wishes.flatMap(({ bytes }) => bytes ?? []), conflicts };
  }
}

/** What it means for this file alone, wherever it goes. */
function guardedOf({ life, now, next, bytes }: Wish, pasts: Pasts): Guarded {
  const path = (now ?? next)!.path;
  const write = { path, expected: now?.version ?? null, next: next?.version ?? null };
  return { writes: [write], fresh: bytes === null ? [] : [bytes], ...pasts.of(life) };
}

async function wishFor(
  life: FileLife,
  known: KnownTree,
  content: ContentStore,
): Promise<Omit<Wish, 'index'> | RestoreConflict> {
  const last = life.steps.at(-1)!;
  const path = last.after?.path ?? last.before!.path;
  const state = last.after === null ? null : known.get(path);
  const version = versionOf(state);
  const now = version === null ? null : { path, version };
  if (state?.kept === false) return { path, reason: 'too-large' };
  const result = await withoutAgents(now, life, content);
  if (typeof result === 'string') return { path, reason: result };
  const next = result === null ? null : { path: result.path, version: versionOfText(result.text, content) };
  return { life, now, next, bytes: result?.text.bytes ?? null };
}

type PlacedText = { readonly path: WorkspacePath; readonly text: NonNullable<FileText> } | null;

async function withoutAgents(
  now: Place | null,
  { steps }: FileLife,
  content: ContentStore,
): Promise<PlacedText | 'overlap' | 'bytes-gone'> {
  let text = await textOf(now, content);
  let path = now?.path ?? null;
  for (const stretch of agentStretches(steps)) {
    const [before, after] = [await textOf(stretch.before, content), await textOf(stretch.after, content)];
    if (text === 'bytes-gone' || before === 'bytes-gone' || after === 'bytes-gone') return 'bytes-gone';
    const taken = takeBack(text, before, after);
    if (taken === 'conflict') return 'overlap';
    // A name that somebody else gave the file since is theirs to keep.
    if (path === (stretch.after?.path ?? null) || path === null) path = stretch.before?.path ?? path;
    text = taken;
  }
  if (text === 'bytes-gone') return 'bytes-gone';
  return text === null || path === null ? null : { path, text };
}

/**
 * Files may wait for each other's places, and two may want the same one. What cannot have its place stays where it is,
 * and that may be another's: so this is asked again without those.
 */
function refusedPlaces(
  wishes: readonly Wish[],
  root: string,
  known: KnownTree,
): readonly (readonly [Wish, RestoreConflict['reason']])[] {
  const leaving = new Set(wishes.flatMap(({ now, next }) => (now === null || now.path === next?.path ? [] : now.path)));
  const wanted = new Map<WorkspacePath, number>();
  for (const { next } of wishes) if (next !== null) wanted.set(next.path, (wanted.get(next.path) ?? 0) + 1);
  const reasonAgainst = ({ now, next }: Wish): RestoreConflict['reason'] | null => {
    if (next === null || next.path === now?.path) return null;
    if (wanted.get(next.path)! > 1) return 'name-taken';
    if (known.get(next.path) === null) return obstacleAt(root, next.path, leaving);
    return leaving.has(next.path) ? null : 'name-taken';
  };
  return wishes.flatMap((wish) => {
    const reason = reasonAgainst(wish);
    return reason === null ? [] : [[wish, reason] as const];
  });
}

/** Where people will look for it. */
const placeOf = ({ now, next }: Wish): WorkspacePath => (now ?? next)!.path;

/** How files came to be what they are: with all that came to nothing, since who brought a state back last counts. */
class Pasts {
  readonly #log: Log;
  readonly #besides = new Map<Seq, Besides>();

  constructor(log: Log) {
    this.#log = log;
  }

  of({ allSteps }: FileLife): Pick<Guarded, 'past' | 'earlier'> {
    const past = allSteps.map(({ seq, by, before, after }) => {
      const content = { before: before?.version.content ?? null, after: after?.version.content ?? null };
      return { ...content, hand: by, ...this.#beside(seq).of(content) };
    });
    return { past, earlier: () => contentsAt(this.#log, namesOfLife({ steps: allSteps }), allSteps[0]!.seq) };
  }

  #beside(seq: Seq): Besides {
    const known = this.#besides.get(seq) ?? new Besides(filesOf(this.#log.get(seq)!));
    this.#besides.set(seq, known);
    return known;
  }
}

/** One write for each path: what leaves it and what comes to it are the same write. */
function writesOf(wishes: readonly Wish[], known: KnownTree): readonly FileWrite[] {
  const arrivals = new Map(wishes.flatMap((wish) => (wish.next === null ? [] : [[wish.next.path, wish] as const])));
  const leaving = new Map(wishes.flatMap((wish) => (wish.now === null ? [] : [[wish.now.path, wish] as const])));
  // A move tells nothing of the file that stood there. So that one has to be told as moved on, and so forth: where one
  // ends that stood in the way, the log tells two changes of each.
  const isToldAsMove = (path: WorkspacePath, met: ReadonlySet<WorkspacePath> = new Set()): boolean => {
    if (known.get(path) === null || met.has(path)) return true;
    const onTo = leaving.get(path)?.next?.path;
    return onTo !== undefined && onTo !== path && isToldAsMove(onTo, new Set([...met, path]));
  };
  return [...new Set([...leaving.keys(), ...arrivals.keys()])].flatMap((path): readonly FileWrite[] => {
    const expected = versionOf(known.get(path));
    const wish = arrivals.get(path);
    if (wish === undefined) return [{ path, expected, next: null }];
    const next = wish.next!.version;
    const from = wish.now?.path ?? path;
    if (from === path) return sameVersion(expected, next) ? [] : [{ path, expected, next }];
    return [{ path, expected, next, ...(isToldAsMove(path) ? { movedFrom: from } : {}) }];
  });
}

async function textOf(place: Place | null, content: ContentStore): Promise<FileText | 'bytes-gone'> {
  if (place === null) return null;
  const found = await content.get(place.version.content);
  return found.ok ? { bytes: found.value, mode: place.version.mode } : 'bytes-gone';
}

function versionOfText(text: NonNullable<FileText>, content: ContentStore): FileVersion {
  return { content: content.idOf(text.bytes), mode: text.mode, size: text.bytes.byteLength };
}
