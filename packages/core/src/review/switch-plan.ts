import type { FileMode } from '../file.js';
import { type ChangeId, type ContentId, type HunkId, type Seq, seqOfChange } from '../ids.js';
import { addTo } from '../lists.js';
import type { Switched } from '../operation.js';
import type { WorkspacePath } from '../path.js';
import type { LineRange } from '../ranges.js';
import { joinRanges } from '../ranges.js';
import { findObstacles, type Obstacle } from './dependence.js';
import type { PartKey, Weave } from './weave.js';

/** Parts of one file to be taken out of its text, or put back. */
export type SwitchRequest = {
  readonly to: 'on' | 'off';
  readonly keys: readonly PartKey[];
  /**
   * What is done about later parts that rest on these: `dependents` takes along what is open, `file` takes along all
   * that is open and later, `force` takes along whatever it is, `none` nothing.
   */
  readonly cascade: 'dependents' | 'file' | 'force' | 'none';
  /** The parts of a change that may be taken along; none when it is settled or a person's. */
  readonly openKeys: (change: ChangeId, weave: Weave) => readonly PartKey[];
  /** For taking a decision back: whatever is older than it stood beside these parts before, and can again. */
  readonly decidedAt?: Seq;
};

export type SwitchPlan = {
  /** The parts that change their state, in the order in which they were made. */
  readonly switched: readonly number[];
  /** Changes that were not asked for and go along, oldest first. */
  readonly cascaded: readonly ChangeId[];
  /** What stands in the way, and of what was asked for what it rests on: nothing may be written then. */
  readonly obstacles: readonly Obstacle[];
  readonly places: NonNullable<Switched['places']>;
  readonly result: SwitchedFile;
};

/** How the file would be; pieces are empty when it would not be there. */
type SwitchedFile = {
  readonly exists: boolean;
  readonly mode: FileMode;
  readonly path: WorkspacePath;
  readonly pieces: readonly Piece[];
};

/** Lines `[start, end)`, 0-based, of the text as it is, or of a content. `end` may be `Infinity`. */
export type Piece = {
  readonly from: 'present' | ContentId;
  readonly start: number;
  readonly end: number;
  /** These lines go: they stand in the present text from here on, and must be what the content says. */
  readonly goneFrom?: number;
};

export function planSwitch(weave: Weave, request: SwitchRequest): SwitchPlan {
  const wanted = new Set<number>();
  for (const key of request.keys) addIfStill(weave, wanted, weave.indexOf(key), request.to);
  const asked = new Set([...wanted].map((part) => weave.parts[part]!.change));
  const switched = new Set(wanted);
  if (request.cascade === 'file') takeLater(weave, switched, asked, request);
  const obstacles = takeAlong(weave, switched, request);
  const parts = [...switched].sort((a, b) => a - b);
  const cascaded = [...new Set(parts.map((part) => weave.parts[part]!.change))].filter((change) => !asked.has(change));
  const isOn = weave.countsWith(switched);
  return { switched: parts, cascaded, obstacles, places: placesOf(weave, isOn), result: resultOf(weave, isOn) };
}

/** Takes along what rests on what is switched, until nothing more does; what may not come is an obstacle. */
function takeAlong(weave: Weave, switched: Set<number>, request: SwitchRequest): readonly Obstacle[] {
  const broughtBy = new Map<number, ReadonlySet<number>>();
  for (;;) {
    const found = findObstacles(weave, switched).filter(({ part }) => isLater(weave, part, request));
    const before = switched.size;
    const left: Obstacle[] = [];
    for (const obstacle of found) {
      const along = companions(weave, obstacle.part, request);
      for (const part of along) {
        if (part !== undefined && !switched.has(part)) broughtBy.set(part, obstacle.restsOn);
        addIfStill(weave, switched, part, request.to);
      }
      if (!switched.has(obstacle.part) && !obstacle.harmless) left.push(obstacle);
    }
    if (switched.size === before)
      return left.map((obstacle) => ({ ...obstacle, restsOn: rootsOf(obstacle.restsOn, broughtBy) }));
  }
}

/** The parts that all of these were taken along for in the end. */
function rootsOf(parts: ReadonlySet<number>, broughtBy: ReadonlyMap<number, ReadonlySet<number>>): ReadonlySet<number> {
  const met = new Set(parts);
  // A set is gone through with what is added to it on the way.
  for (const part of met) for (const earlier of broughtBy.get(part) ?? []) met.add(earlier);
  return new Set([...met].filter((part) => !broughtBy.has(part)));
}

function isLater(weave: Weave, part: number, { decidedAt }: SwitchRequest): boolean {
  if (decidedAt === undefined) return true;
  const found = weave.parts[part];
  return found !== undefined && seqOfChange(found.change) > decidedAt;
}

function companions(weave: Weave, part: number, request: SwitchRequest): readonly (number | undefined)[] {
  const found = weave.parts[part];
  if (found === undefined || request.cascade === 'none') return [];
  const open = request.openKeys(found.change, weave).map((key) => weave.indexOf(key));
  if (open.includes(part)) return open;
  return request.cascade === 'force' ? [part] : [];
}

function takeLater(weave: Weave, switched: Set<number>, asked: ReadonlySet<ChangeId>, request: SwitchRequest): void {
  const later = weave.parts.slice(Math.min(...switched) + 1).map(({ change }) => change);
  for (const change of new Set(later)) {
    if (asked.has(change)) continue;
    for (const key of request.openKeys(change, weave)) addIfStill(weave, switched, weave.indexOf(key), request.to);
  }
}

function addIfStill(weave: Weave, parts: Set<number>, part: number | undefined, to: 'on' | 'off'): void {
  if (part !== undefined && weave.isOn(part) !== (to === 'on')) parts.add(part);
}

function resultOf(weave: Weave, isOn: (part: number) => boolean): SwitchedFile {
  let { exists, mode, path } = weave.initial ?? {
    exists: false,
    mode: '100644' as FileMode,
    path: '' as WorkspacePath,
  };
  weave.parts.forEach(({ sets }, part) => {
    if (!isOn(part)) return;
    exists = sets.exists ?? exists;
    mode = sets.mode ?? mode;
    path = sets.path ?? path;
  });
  return { exists, mode, path, pieces: piecesOf(weave, isOn) };
}

function piecesOf(weave: Weave, isOn: (part: number) => boolean): readonly Piece[] {
  const pieces: Piece[] = [];
  let position = 0;
  for (const segment of weave.segments) {
    const { lines, content, start } = segment;
    const alive = weave.isAlive(segment);
    const stays = isOn(segment.by) && !segment.removedBy.some(isOn);
    if (alive && stays) addPresent(pieces, position, position + lines);
    else if (alive) pieces.push({ from: content, start, end: start + lines, goneFrom: position });
    else if (stays) pieces.push({ from: content, start, end: start + lines });
    if (alive) position += lines;
  }
  return pieces;
}

function addPresent(pieces: Piece[], start: number, end: number): void {
  const last = pieces.at(-1);
  if (last?.from === 'present' && last.end === start) pieces[pieces.length - 1] = { ...last, end };
  else pieces.push({ from: 'present', start, end });
}

/** Where the lines of a hunk will be, for every hunk of which some come back. */
function placesOf(weave: Weave, isOn: (part: number) => boolean): SwitchPlan['places'] {
  const found = new Map<number, LineRange[]>();
  const returning = new Set<number>();
  let position = 0;
  for (const segment of weave.segments) {
    const { by, lines, removedBy } = segment;
    if (!isOn(by) || removedBy.some(isOn)) continue;
    if (!weave.isAlive(segment)) returning.add(by);
    addTo(found, by, { from: position + 1, to: position + lines });
    position += lines;
  }
  return [...returning].flatMap((part) => {
    const { key, change, inserted } = weave.parts[part] ?? {};
    if (key === undefined || key === change || inserted === Number.POSITIVE_INFINITY) return [];
    return [{ hunk: key as HunkId, now: joinRanges(found.get(part)!) }];
  });
}
