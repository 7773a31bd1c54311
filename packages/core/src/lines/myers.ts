import { type Effort, roughRoot } from './effort.js';
import { runAfter, runBefore } from './run.js';

/**
 * Myers' O(ND) search in linear space: from both corners of the edit grid paths grow by one difference per round, furthest
 * reaching point per diagonal; where they meet, the grid is cut in two and each half searched again. Which of several
 * shortest edits comes out is decided by the order of the comparisons below, which is git's.
 */
export class Search {
  /** Grid points looked at so far, the measure of effort. */
  steps = 0;
  readonly #old: Int32Array;
  readonly #new: Int32Array;
  readonly #effort: Effort;
  readonly #costLimit: number;
  /** Per diagonal (old index − new index, shifted by `#shift`) the old index that a path has reached. */
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;
  readonly #shift: number;
  readonly #cut = { old: 0, new: 0, mostBefore: 0, mostAfter: 0 };
  readonly #ahead: Frontier = { low: 0, high: 0, from: 0, to: 0 };
  readonly #behind: Frontier = { low: 0, high: 0, from: 0, to: 0 };

  constructor(oldIds: Int32Array, newIds: Int32Array, effort: Effort) {
    this.#old = oldIds;
    this.#new = newIds;
    this.#effort = effort;
    const diagonals = oldIds.length + newIds.length + 3;
    this.#costLimit = Math.max(roughRoot(diagonals), effort.leastCost);
    this.#forward = new Int32Array(diagonals);
    this.#backward = new Int32Array(diagonals);
    this.#shift = newIds.length + 1;
  }

  /** Calls back with the ranges of old and of new lines that have no partner; each line once, in no set order. */
  run(unmatchedOld: (from: number, to: number) => void, unmatchedNew: (from: number, to: number) => void): void {
    const whole = { oldLow: 0, oldHigh: this.#old.length, newLow: 0, newHigh: this.#new.length, most: UNKNOWN };
    const boxes: Box[] = [whole];
    for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
      const { oldLow, oldHigh, newLow, newHigh, most } = this.#shrink(box);
      if (oldLow === oldHigh) unmatchedNew(newLow, newHigh);
      else if (newLow === newHigh) unmatchedOld(oldLow, oldHigh);
      else {
        const known = most === UNKNOWN ? this.#mostIn(oldLow, oldHigh, newLow, newHigh) : most;
        this.#findCut({ oldLow, oldHigh, newLow, newHigh, most: known });
        const cut = this.#cut;
        boxes.push({ oldLow: cut.old, oldHigh, newLow: cut.new, newHigh, most: cut.mostAfter });
        boxes.push({ oldLow, oldHigh: cut.old, newLow, newHigh: cut.new, most: cut.mostBefore });
      }
    }
  }

  #shrink({ oldLow, oldHigh, newLow, newHigh, most }: Box): Box {
    const least = Math.min(oldHigh - oldLow, newHigh - newLow);
    const head = runAfter(this.#old, oldLow, this.#new, newLow, least);
    const tail = runBefore(this.#old, oldHigh, this.#new, newHigh, least - head);
    return { oldLow: oldLow + head, oldHigh: oldHigh - tail, newLow: newLow + head, newHigh: newHigh - tail, most };
  }

  /**
   * Where one side has only lost lines of the other, they are the differences. Told only where so few that the search
   * would end before it may give up, since it must give up where git does.
   */
  #mostIn(oldLow: number, oldHigh: number, newLow: number, newHigh: number): number {
    const gained = newHigh - newLow - (oldHigh - oldLow);
    if (Math.abs(gained) > 2 * Math.min(this.#effort.shortcutCost, this.#costLimit)) return UNKNOWN;
    const lostOnly =
      gained < 0
        ? isWithin(this.#new, newLow, newHigh, this.#old, oldLow, oldHigh)
        : isWithin(this.#old, oldLow, oldHigh, this.#new, newLow, newHigh);
    return lostOnly ? Math.abs(gained) : UNKNOWN;
  }

  #findCut(box: Box): void {
    const start = box.oldLow - box.newLow;
    const goal = box.oldHigh - box.newHigh;
    const odd = ((start - goal) & 1) !== 0;
    place(this.#ahead, start);
    place(this.#behind, goal);
    this.#forward[start + this.#shift] = box.oldLow;
    this.#backward[goal + this.#shift] = box.oldHigh;
    for (let cost = 1; ; cost++) {
      const longAhead = this.#growForward(box, cost, odd);
      if (longAhead === MET) return;
      const longBehind = this.#growBackward(box, cost, !odd);
      if (longBehind === MET) return;
      if (box.most !== UNKNOWN) continue;
      const longRun = longAhead === LONG_RUN || longBehind === LONG_RUN;
      if (longRun && cost > this.#effort.shortcutCost && this.#takeShortcut(box, start, goal, cost)) return;
      if (cost >= this.#costLimit) {
        this.#takeFurthest(box);
        return;
      }
    }
  }

  /** One more difference from the start corner; says whether the two searches met or a long run of equal lines was passed. */
  #growForward(box: Box, cost: number, mayMeet: boolean): Growth {
    const a = this.#old;
    const b = this.#new;
    const reach = this.#forward;
    const other = this.#backward;
    const shift = this.#shift;
    const { oldHigh, newHigh } = box;
    widen(this.#ahead, box, reach, shift, -1);
    narrow(this.#ahead, oldHigh - newHigh, box.most - cost);
    const { from, to } = this.#ahead;
    const meetFrom = mayMeet ? this.#behind.from : UNREACHED;
    const meetTo = this.#behind.to;
    const longRun = this.#effort.shortcutRun;
    let growth: Growth = NOTHING;
    let steps = (to - from) / 2 + 1;
    for (let diagonal = to; diagonal >= from; diagonal -= 2) {
      const at = diagonal + shift;
      const inserted = reach[at + 1]!;
      const removed = reach[at - 1]!;
      let i = removed >= inserted ? removed + 1 : inserted;
      let j = i - diagonal;
      if (i < oldHigh && j < newHigh && a[i] === b[j]) {
        const run = runAfter(a, i, b, j, Math.min(oldHigh - i, newHigh - j));
        i += run;
        j += run;
        steps += run;
        if (run > longRun) growth = LONG_RUN;
      }
      reach[at] = i;
      if (diagonal >= meetFrom && diagonal <= meetTo && other[at]! <= i) {
        this.steps += steps;
        this.#cutAt(i, j, cost, cost - 1);
        return MET;
      }
    }
    this.steps += steps;
    return growth;
  }

  #growBackward(box: Box, cost: number, mayMeet: boolean): Growth {
    const a = this.#old;
    const b = this.#new;
    const reach = this.#backward;
    const other = this.#forward;
    const shift = this.#shift;
    const { oldLow, newLow } = box;
    widen(this.#behind, box, reach, shift, UNREACHED);
    narrow(this.#behind, oldLow - newLow, box.most - cost);
    const { from, to } = this.#behind;
    const meetFrom = mayMeet ? this.#ahead.from : UNREACHED;
    const meetTo = this.#ahead.to;
    const longRun = this.#effort.shortcutRun;
    let growth: Growth = NOTHING;
    let steps = (to - from) / 2 + 1;
    for (let diagonal = to; diagonal >= from; diagonal -= 2) {
      const at = diagonal + shift;
      const inserted = reach[at - 1]!;
      const removed = reach[at + 1]!;
      let i = inserted < removed ? inserted : removed - 1;
      let j = i - diagonal;
      if (i > oldLow && j > newLow && a[i - 1] === b[j - 1]) {
        const run = runBefore(a, i, b, j, Math.min(i - oldLow, j - newLow));
        i -= run;
        j -= run;
        steps += run;
        if (run > longRun) growth = LONG_RUN;
      }
      reach[at] = i;
      if (diagonal >= meetFrom && diagonal <= meetTo && i <= other[at]!) {
        this.steps += steps;
        this.#cutAt(i, j, cost, cost);
        return MET;
      }
    }
    this.steps += steps;
    return growth;
  }

  /**
   * Cuts behind a long run of equal lines that lies far along and near the diagonal of its corner, if there is one: it is
   * very likely part of any good edit.
   */
  #takeShortcut(box: Box, start: number, goal: number, cost: number): boolean {
    let best = SHORTCUT_FACTOR * cost;
    let found = false;
    for (let diagonal = this.#ahead.high; diagonal >= this.#ahead.low; diagonal -= 2) {
      const i = this.#forward[diagonal + this.#shift]!;
      const j = i - diagonal;
      const progress = i - box.oldLow + (j - box.newLow) - Math.abs(diagonal - start);
      if (progress <= best || i >= box.oldHigh || j >= box.newHigh || !this.#runEndsAt(box, i, j)) continue;
      best = progress;
      found = true;
      this.#cutAt(i, j, cost, UNKNOWN);
    }
    if (found) return true;
    for (let diagonal = this.#behind.high; diagonal >= this.#behind.low; diagonal -= 2) {
      const i = this.#backward[diagonal + this.#shift]!;
      const j = i - diagonal;
      const progress = box.oldHigh - i + (box.newHigh - j) - Math.abs(diagonal - goal);
      if (progress <= best || i <= box.oldLow || j <= box.newLow || !this.#runBeginsAt(box, i, j)) continue;
      best = progress;
      found = true;
      this.#cutAt(i, j, UNKNOWN, cost);
    }
    return found;
  }

  #runEndsAt(box: Box, i: number, j: number): boolean {
    const run = this.#effort.shortcutRun;
    if (i - run < box.oldLow || j - run < box.newLow) return false;
    return runBefore(this.#old, i, this.#new, j, run) === run;
  }

  #runBeginsAt(box: Box, i: number, j: number): boolean {
    const run = this.#effort.shortcutRun;
    if (i + run > box.oldHigh || j + run > box.newHigh) return false;
    return runAfter(this.#old, i, this.#new, j, run) === run;
  }

  /** Cuts at the point furthest from its corner, whichever side reached it. */
  #takeFurthest(box: Box): void {
    const shift = this.#shift;
    let ahead = -1;
    let aheadOld = -1;
    for (let diagonal = this.#ahead.high; diagonal >= this.#ahead.low; diagonal -= 2) {
      const i = Math.min(this.#forward[diagonal + shift]!, box.oldHigh, box.newHigh + diagonal);
      const sum = i + (i - diagonal);
      if (sum > ahead) {
        ahead = sum;
        aheadOld = i;
      }
    }
    let behind = UNREACHED;
    let behindOld = UNREACHED;
    for (let diagonal = this.#behind.high; diagonal >= this.#behind.low; diagonal -= 2) {
      const i = Math.max(this.#backward[diagonal + shift]!, box.oldLow, box.newLow + diagonal);
      const sum = i + (i - diagonal);
      if (sum < behind) {
        behind = sum;
        behindOld = i;
      }
    }
    const behindProgress = box.oldHigh + box.newHigh - behind;
    const aheadProgress = ahead - (box.oldLow + box.newLow);
    // The point may have been pulled back into the grid, and so have cost more than its path.
    if (behindProgress < aheadProgress) this.#cutAt(aheadOld, ahead - aheadOld, aheadProgress, UNKNOWN);
    else this.#cutAt(behindOld, behind - behindOld, UNKNOWN, behindProgress);
  }

  #cutAt(oldIndex: number, newIndex: number, mostBefore: number, mostAfter: number): void {
    this.#cut.old = oldIndex;
    this.#cut.new = newIndex;
    this.#cut.mostBefore = mostBefore;
    this.#cut.mostAfter = mostAfter;
  }
}

/** A part of the grid still to be searched. */
interface Box {
  readonly oldLow: number;
  readonly oldHigh: number;
  readonly newLow: number;
  readonly newHigh: number;
  /** The most differences that it can take, as far as that is known: then it is searched to the end. */
  readonly most: number;
}

/** The diagonals that paths from one corner have reached, and of these the ones that grew in the last round. */
interface Frontier {
  low: number;
  high: number;
  from: number;
  to: number;
}

type Growth = typeof NOTHING | typeof LONG_RUN | typeof MET;

const NOTHING = 0;
const LONG_RUN = 1;
const MET = 2;
const UNREACHED = 0x7fffffff;
/** More differences than any box can take, and few enough to be added to a diagonal. */
const UNKNOWN = 0x3fffffff;
/** A shortcut must have come this many times as far as it has cost. */
const SHORTCUT_FACTOR = 4;

function place(frontier: Frontier, corner: number): void {
  frontier.low = frontier.high = frontier.from = frontier.to = corner;
}

/** Opens one more diagonal on each side; at the edge of the grid the frontier draws in instead, to keep its parity. */
function widen(frontier: Frontier, box: Box, reach: Int32Array, shift: number, unreached: number): void {
  if (frontier.low > box.oldLow - box.newHigh) reach[--frontier.low - 1 + shift] = unreached;
  else frontier.low++;
  if (frontier.high < box.oldHigh - box.newLow) reach[++frontier.high + 1 + shift] = unreached;
  else frontier.high--;
}

/**
 * Leaves out the diagonals from which the differences that are left cannot lead to the other corner's. What is not left out
 * grows from what was not left out the round before, so nothing else changes.
 */
function narrow(frontier: Frontier, other: number, left: number): void {
  frontier.from = Math.max(frontier.low, other - left);
  frontier.to = Math.min(frontier.high, other + left);
}

/** Whether all lines of a part of `few` are in a part of `many`, in their order. */
function isWithin(
  few: Int32Array,
  fewLow: number,
  fewHigh: number,
  many: Int32Array,
  manyLow: number,
  manyHigh: number,
): boolean {
  let at = fewLow;
  for (let i = manyLow; i < manyHigh && at < fewHigh && fewHigh - at <= manyHigh - i; i++)
    if (few[at] === many[i]) at++;
  return at === fewHigh;
}
