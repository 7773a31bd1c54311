import type { NumberedDiff, SpanCursor } from './diff.js';
import { type Lines, sliceLines } from './text.js';

/** Corresponding lines of the three texts, at least one side of which changed, and what is to be done with them. */
export interface Region {
  readonly verdict: 'ours' | 'theirs' | 'conflict';
  readonly baseStart: number;
  readonly baseEnd: number;
  readonly oursStart: number;
  readonly oursEnd: number;
  readonly theirsStart: number;
  readonly theirsEnd: number;
}

interface RegionInput {
  readonly diff: NumberedDiff;
  /** The lines of our side, which tell what stands between two conflicts. */
  readonly lines: Lines;
  readonly oursIds: Int32Array;
  readonly theirsIds: Int32Array;
  readonly oursEdits: SpanCursor;
  readonly theirsEdits: SpanCursor;
}

/** The regions in order, decided as git's merge decides them at the level that `git merge-file` uses. */
export function findRegions(input: RegionInput): readonly Region[] {
  const overlapping = overlay(input);
  return joinNearConflicts(refineConflicts(overlapping, input), input.lines);
}

/** A region that the next one may still be joined to. There are as many as edits, so they are not made anew for that. */
type OpenRegion = { -readonly [Key in keyof Region]: Region[Key] };

/** So few common lines between two conflicts do not help a reader. */
const NEAR_LINES = 3;

/**
 * Lays the two edit lists over each other. Edits that touch or overlap on either side become one region: there is no line
 * between them to tell in which order they belong. Equal edits of both sides are no region at all.
 */
function overlay(input: RegionInput): readonly OpenRegion[] {
  const { oursEdits: ours, theirsEdits: theirs } = input;
  const regions: OpenRegion[] = [];
  let oursShift = 0;
  let theirsShift = 0;
  while (!ours.isPast || !theirs.isPast) {
    if (theirs.isPast || (!ours.isPast && ours.oldEnd < theirs.oldStart)) {
      addRegion(regions, onlyOurs(ours, theirsShift));
      oursShift = ours.newEnd - ours.oldEnd;
      ours.next();
    } else if (ours.isPast || theirs.oldEnd < ours.oldStart) {
      addRegion(regions, onlyTheirs(theirs, oursShift));
      theirsShift = theirs.newEnd - theirs.oldEnd;
      theirs.next();
    } else {
      if (!isSameEdit(ours, theirs, input)) addRegion(regions, bothSided(ours, theirs));
      // The edit that ends first is done with; the other may reach the next edit too.
      const lead = ours.oldEnd - theirs.oldEnd;
      if (lead <= 0) {
        oursShift = ours.newEnd - ours.oldEnd;
        ours.next();
      }
      if (lead >= 0) {
        theirsShift = theirs.newEnd - theirs.oldEnd;
        theirs.next();
      }
    }
  }
  return regions;
}

/** `shift` is by how much the unchanged lines of the other side are displaced against the base. */
function onlyOurs({ oldStart, oldEnd, newStart, newEnd }: SpanCursor, shift: number): OpenRegion {
  return {
    verdict: 'ours',
    baseStart: oldStart,
    baseEnd: oldEnd,
    oursStart: newStart,
    oursEnd: newEnd,
    theirsStart: oldStart + shift,
    theirsEnd: oldEnd + shift,
  };
}

function onlyTheirs({ oldStart, oldEnd, newStart, newEnd }: SpanCursor, shift: number): OpenRegion {
  return {
    verdict: 'theirs',
    baseStart: oldStart,
    baseEnd: oldEnd,
    oursStart: oldStart + shift,
    oursEnd: oldEnd + shift,
    theirsStart: newStart,
    theirsEnd: newEnd,
  };
}

/** Widens both edits to the base lines that either covers. */
function bothSided(ours: SpanCursor, theirs: SpanCursor): OpenRegion {
  const baseStart = Math.min(ours.oldStart, theirs.oldStart);
  const baseEnd = Math.max(ours.oldEnd, theirs.oldEnd);
  return {
    verdict: 'conflict',
    baseStart,
    baseEnd,
    oursStart: ours.newStart - (ours.oldStart - baseStart),
    oursEnd: ours.newEnd + (baseEnd - ours.oldEnd),
    theirsStart: theirs.newStart - (theirs.oldStart - baseStart),
    theirsEnd: theirs.newEnd + (baseEnd - theirs.oldEnd),
  };
}

function isSameEdit(ours: SpanCursor, theirs: SpanCursor, input: RegionInput): boolean {
  if (ours.oldStart !== theirs.oldStart || ours.oldEnd !== theirs.oldEnd) return false;
  const length = ours.newEnd - ours.newStart;
  if (theirs.newEnd - theirs.newStart !== length) return false;
  for (let i = 0; i < length; i++) {
    if (input.oursIds[ours.newStart + i] !== input.theirsIds[theirs.newStart + i]) return false;
  }
  return true;
}

function addRegion(regions: OpenRegion[], region: OpenRegion): void {
  const last = regions[regions.length - 1];
  if (last === undefined || (region.oursStart > last.oursEnd && region.theirsStart > last.theirsEnd)) {
    // What ours alone changed is taken as it is. Its last region is kept, since the next may touch it.
    if (last?.verdict === 'ours' && region.verdict === 'ours') regions.pop();
    regions.push(region);
    return;
  }
  if (last.verdict !== region.verdict) last.verdict = 'conflict';
  extend(last, region);
}

function extend(last: OpenRegion, next: Region): void {
  last.baseEnd = next.baseEnd;
  last.oursEnd = next.oursEnd;
  last.theirsEnd = next.theirsEnd;
}

/** Takes out of each conflict what both sides have in common; where nothing else is left they agree after all. */
function refineConflicts(regions: readonly OpenRegion[], input: RegionInput): readonly OpenRegion[] {
  const refined: OpenRegion[] = [];
  for (const region of regions) {
    const { oursStart, oursEnd, theirsStart, theirsEnd } = region;
    if (region.verdict !== 'conflict' || oursStart === oursEnd || theirsStart === theirsEnd) {
      refined.push(region);
      continue;
    }
    if (isAllDifferent(region, input)) {
      refined.push(region);
      continue;
    }
    const ours = input.oursIds.subarray(oursStart, oursEnd);
    const theirs = input.theirsIds.subarray(theirsStart, theirsEnd);
    const between = input.diff.walk(ours, theirs);
    // Kept as a region of its own, since it keeps the conflicts around it apart.
    if (between.isPast) refined.push({ ...region, verdict: 'ours' });
    for (let { baseStart } = region; !between.isPast; between.next()) {
      refined.push({
        verdict: 'conflict',
        baseStart,
        baseEnd: region.baseEnd,
        oursStart: oursStart + between.oldStart,
        oursEnd: oursStart + between.oldEnd,
        theirsStart: theirsStart + between.newStart,
        theirsEnd: theirsStart + between.newEnd,
      });
      baseStart = region.baseEnd;
    }
  }
  return refined;
}

/** A diff of so few lines costs more than comparing each with each, and most conflicts are of a line or two. */
const FEW_PAIRS = 64;

/** Whether it is plain that the two sides of a conflict have no line in common; false also where that is not looked at. */
function isAllDifferent({ oursStart, oursEnd, theirsStart, theirsEnd }: Region, input: RegionInput): boolean {
  if ((oursEnd - oursStart) * (theirsEnd - theirsStart) > FEW_PAIRS) return false;
  for (let o = oursStart; o < oursEnd; o++)
    for (let t = theirsStart; t < theirsEnd; t++) if (input.oursIds[o] === input.theirsIds[t]) return false;
  return true;
}

/** Joins conflicts with little between them: few lines, or none with a letter or digit in it. */
function joinNearConflicts(regions: readonly OpenRegion[], lines: Lines): readonly Region[] {
  const joined: OpenRegion[] = [];
  for (const region of regions) {
    const last = joined[joined.length - 1];
    const near =
      last?.verdict === 'conflict' && region.verdict === 'conflict' && isNear(last.oursEnd, region.oursStart, lines);
    if (near) extend(last, region);
    else joined.push(region);
  }
  return joined;
}

function isNear(from: number, to: number, lines: Lines): boolean {
  return to - from <= NEAR_LINES || !sliceLines(lines, from, to).some(isLetterOrDigit);
}

function isLetterOrDigit(byte: number): boolean {
  const lower = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x7a);
}
