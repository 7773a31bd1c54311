import type { Segment } from './segments.js';
import { isRename, type Weave, type WeavePart } from './weave.js';

/** A part that is on, and rests on one that is to be switched. */
export type Obstacle = {
  /** -1 for text that was there before all. */
  readonly part: number;
  /** It only took away from what is to be switched, and nothing comes back in its place: it can stay as it is. */
  readonly harmless: boolean;
  /** The parts to be switched that it cannot stay without. */
  readonly restsOn: ReadonlySet<number>;
};

/**
 * What rests on the parts that are to be switched:
 * - it removed lines that they wrote, or that they removed and that are in sight again;
 * - it wrote between their lines;
 * - it wrote exactly where they have lines out of sight and none in sight, or replaced the lines around that place;
 * - anything at all that came after, where they concern the file as a whole; later renames, where they renamed.
 *
 * Text directly before or behind theirs does not: its place is known.
 */
export function findObstacles(weave: Weave, switched: ReadonlySet<number>): readonly Obstacle[] {
  const counts = weave.countsWith(switched);
  const flipped = new Set(switched);
  for (const part of weave.parts.keys()) if (counts(part) !== weave.doesCount(part)) flipped.add(part);
  const found = new Map<number, { readonly part: number; readonly restsOn: Set<number> }>();
  const add = (part: number, restsOn: number) => {
    if (flipped.has(part) || !weave.doesCount(part)) return;
    const harmless = isHarmless(weave.parts[part], weave.parts[restsOn]!, counts(restsOn) ? 'on' : 'off');
    const obstacle = found.get(part) ?? { part, restsOn: new Set() };
    if (!harmless) obstacle.restsOn.add(restsOn);
    found.set(part, obstacle);
  };
  const moving = new Set([...flipped].filter((part) => counts(part) !== weave.doesCount(part)));
  addLineObstacles(weave, moving, add);
  weave.parts.forEach((part, index) => {
    if (part.touches.size === 0) return;
    for (const touched of part.touches) if (moving.has(touched)) add(index, touched);
  });
  for (const part of moving) addWholeObstacles(weave, part, add);
  return [...found.values()]
    .sort((a, b) => a.part - b.part)
    .map((obstacle) => ({ ...obstacle, harmless: obstacle.restsOn.size === 0 }));
}

type Add = (part: number, restsOn: number) => void;

function addLineObstacles(weave: Weave, switched: ReadonlySet<number>, add: Add): void {
  const extents = new Extents();
  weave.segments.forEach((segment, index) => {
    if (switched.has(segment.by)) {
      extents.add(`w${segment.by}`, segment.by, index);
      for (const remover of segment.removedBy) add(remover, segment.by);
    }
    for (const remover of segment.removedBy) {
      if (!switched.has(remover)) continue;
      extents.add(`r${remover}`, remover, index);
      for (const other of segment.removedBy) if (other !== remover) add(other, remover);
    }
  });
  for (const { part, first, last } of extents.all()) {
    for (let index = first + 1; index < last; index++) {
      const segment = weave.segments[index]!;
      if (segment.by !== part && isUnmoved(weave, segment, switched)) add(segment.by, part);
    }
  }
}

/** In sight, and not because or in spite of what is switched. */
function isUnmoved(weave: Weave, segment: Segment, switched: ReadonlySet<number>): boolean {
  return (
    weave.isAlive(segment) && !switched.has(segment.by) && !segment.removedBy.some((remover) => switched.has(remover))
  );
}

function addWholeObstacles(weave: Weave, part: number, add: Add): void {
  const { whole, sets, change } = weave.parts[part]!;
  if (!whole && !isRename(sets)) return;
  for (let later = part + 1; later < weave.parts.length; later++) {
    const other = weave.parts[later]!;
    if (other.change !== change && (whole || isRename(other.sets))) add(later, part);
  }
}

function isHarmless(part: WeavePart | undefined, restsOn: WeavePart, to: 'on' | 'off'): boolean {
  if (part === undefined) return false;
  const comesBack = to === 'off' ? restsOn.removed : restsOn.inserted;
  const adds = part.inserted > 0 || part.sets.exists === true || isRename(part.sets);
  return comesBack === 0 && !adds && !isRename(restsOn.sets);
}

/** From the first to the last segment of each part. */
class Extents {
  readonly #found = new Map<string, { part: number; first: number; last: number }>();

  add(key: string, part: number, index: number): void {
    const known = this.#found.get(key);
    if (known === undefined) this.#found.set(key, { part, first: index, last: index });
    else known.last = index;
  }

  all(): Iterable<{ readonly part: number; readonly first: number; readonly last: number }> {
    return this.#found.values();
  }
}
