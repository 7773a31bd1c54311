import { type Effort, roughRoot } from './effort.js';

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
  readonly #cut = { old: 0, new: 0, lowIsNear: false, highIsNear: false };
  readonly #ahead: Frontier = { low: 0, high: 0 };
  readonly #behind: Frontier = { low: 0, high: 0 };

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
    const boxes: Box[] = [{ oldLow: 0, oldHigh: this.#old.length, newLow: 0, newHigh: this.#new.length, exact: false }];
    for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
      const { oldLow, oldHigh, newLow, newHigh, exact } = this.#shrink(box);
      if (oldLow === oldHigh) unmatchedNew(newLow, newHigh);
      else if (newLow === newHigh) unmatchedOld(oldLow, oldHigh);
      else {
        this.#findCut({ oldLow, oldHigh, newLow, newHigh, exact });
        const cut = this.#cut;
        boxes.push({ oldLow: cut.old, oldHigh, newLow: cut.new, newHigh, exact: cut.highIsNear });
        boxes.push({ oldLow, oldHigh: cut.old, newLow, newHigh: cut.new, exact: cut.lowIsNear });
      }
    }
  }

  #shrink(box: Box): Box {
    const a = this.#old;
    const b = this.#new;
    let { oldLow, oldHigh, newLow, newHigh } = box;
    while (oldLow < oldHigh && newLow < newHigh && a[oldLow] === b[newLow]) {
      oldLow++;
      newLow++;
    }
    while (oldLow < oldHigh && newLow < newHigh && a[oldHigh - 1] === b[newHigh - 1]) {
      oldHigh--;
      newHigh--;
    }
    return { oldLow, oldHigh, newLow, newHigh, exact: box.exact };
  }

  #findCut(box: Box): void {
    const start = box.oldLow - box.newLow;
    const goal = box.oldHigh - box.newHigh;
    const odd = ((start - goal) & 1) !== 0;
    this.#ahead.low = this.#ahead.high = start;
    this.#behind.low = this.#behind.high = goal;
    this.#forward[start + this.#shift] = box.oldLow;
    this.#backward[goal + this.#shift] = box.oldHigh;
    for (let cost = 1; ; cost++) {
      const longAhead = this.#growForward(box, odd);
      if (longAhead === MET) return;
      const longBehind = this.#growBackward(box, !odd);
      if (longBehind === MET) return;
      // A half that a bounded search has crossed already is known to be cheap, so it is searched to the end.
      if (box.exact) continue;
      const longRun = longAhead === LONG_RUN || longBehind === LONG_RUN;
      if (longRun && cost > this.#effort.shortcutCost && this.#takeShortcut(box, start, goal, cost)) return;
      if (cost >= this.#costLimit) {
        this.#takeFurthest(box);
        return;
      }
    }
  }

  /** One more difference from the start corner; says whether the two searches met or a long run of equal lines was passed. */
  #growForward(box: Box, mayMeet: boolean): Growth {
    const a = this.#old;
    const b = this.#new;
    const reach = this.#forward;
    const other = this.#backward;
    const shift = this.#shift;
    const { oldHigh, newHigh } = box;
    const { low, high } = widen(this.#ahead, box, reach, shift, -1);
    const meetLow = mayMeet ? this.#behind.low : UNREACHED;
    const meetHigh = this.#behind.high;
    const longRun = this.#effort.shortcutRun;
    let growth: Growth = NOTHING;
    let steps = (high - low) / 2 + 1;
    for (let diagonal = high; diagonal >= low; diagonal -= 2) {
      const at = diagonal + shift;
      const inserted = reach[at + 1]!;
      const removed = reach[at - 1]!;
      let i = removed >= inserted ? removed + 1 : inserted;
      let j = i - diagonal;
      if (i < oldHigh && j < newHigh && a[i] === b[j]) {
        const from = i;
        const end = Math.min(oldHigh, newHigh + diagonal);
        do {
          i++;
          j++;
        } while (i < end && a[i] === b[j]);
        steps += i - from;
        if (i - from > longRun) growth = LONG_RUN;
      }
      reach[at] = i;
      if (diagonal >= meetLow && diagonal <= meetHigh && other[at]! <= i) {
        this.steps += steps;
        this.#cutAt(i, j, 'both');
        return MET;
      }
    }
    this.steps += steps;
    return growth;
  }

  #growBackward(box: Box, mayMeet: boolean): Growth {
    const a = this.#old;
    const b = this.#new;
    const reach = this.#backward;
    const other = this.#forward;
    const shift = this.#shift;
    const { oldLow, newLow } = box;
    const { low, high } = widen(this.#behind, box, reach, shift, UNREACHED);
    const meetLow = mayMeet ? this.#ahead.low : UNREACHED;
    const meetHigh = this.#ahead.high;
    const longRun = this.#effort.shortcutRun;
    let growth: Growth = NOTHING;
    let steps = (high - low) / 2 + 1;
    for (let diagonal = high; diagonal >= low; diagonal -= 2) {
      const at = diagonal + shift;
      const inserted = reach[at - 1]!;
      const removed = reach[at + 1]!;
      let i = inserted < removed ? inserted : removed - 1;
      let j = i - diagonal;
      if (i > oldLow && j > newLow && a[i - 1] === b[j - 1]) {
        const from = i;
        const end = Math.max(oldLow, newLow + diagonal);
        do {
          i--;
          j--;
        } while (i > end && a[i - 1] === b[j - 1]);
        steps += from - i;
        if (from - i > longRun) growth = LONG_RUN;
      }
      reach[at] = i;
      if (diagonal >= meetLow && diagonal <= meetHigh && i <= other[at]!) {
        this.steps += steps;
        this.#cutAt(i, j, 'both');
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
      this.#cutAt(i, j, 'low');
    }
    if (found) return true;
    for (let diagonal = this.#behind.high; diagonal >= this.#behind.low; diagonal -= 2) {
      const i = this.#backward[diagonal + this.#shift]!;
      const j = i - diagonal;
      const progress = box.oldHigh - i + (box.newHigh - j) - Math.abs(diagonal - goal);
      if (progress <= best || i <= box.oldLow || j <= box.newLow || !this.#runBeginsAt(box, i, j)) continue;
      best = progress;
      found = true;
      this.#cutAt(i, j, 'high');
    }
    return found;
  }

  #runEndsAt(box: Box, i: number, j: number): boolean {
    const run = this.#effort.shortcutRun;
    if (i - run < box.oldLow || j - run < box.newLow) return false;
    for (let k = 1; k <= run; k++) if (this.#old[i - k] !== this.#new[j - k]) return false;
    return true;
  }

  #runBeginsAt(box: Box, i: number, j: number): boolean {
    const run = this.#effort.shortcutRun;
    if (i + run > box.oldHigh || j + run > box.newHigh) return false;
    for (let k = 0; k < run; k++) if (this.#old[i + k] !== this.#new[j + k]) return false;
    return true;
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
    if (behindProgress < aheadProgress) this.#cutAt(aheadOld, ahead - aheadOld, 'low');
    else this.#cutAt(behindOld, behind - behindOld, 'high');
  }

  #cutAt(oldIndex: number, newIndex: number, near: 'low' | 'high' | 'both'): void {
    this.#cut.old = oldIndex;
    this.#cut.new = newIndex;
    this.#cut.lowIsNear = near !== 'high';
    this.#cut.highIsNear = near !== 'low';
  }
}

/** A part of the grid still to be searched; `exact` when its cost is known to be small. */
interface Box {
  readonly oldLow: number;
  readonly oldHigh: number;
  readonly newLow: number;
  readonly newHigh: number;
  readonly exact: boolean;
}

/** The diagonals that paths from one corner have reached. */
interface Frontier {
  low: number;
  high: number;
}

type Growth = typeof NOTHING | typeof LONG_RUN | typeof MET;

const NOTHING = 0;
const LONG_RUN = 1;
const MET = 2;
const UNREACHED = 0x7fffffff;
/** A shortcut must have come this many times as far as it has cost. */
const SHORTCUT_FACTOR = 4;

/** Opens one more diagonal on each side; at the edge of the grid the frontier draws in instead, to keep its parity. */
function widen(frontier: Frontier, box: Box, reach: Int32Array, shift: number, unreached: number): Frontier {
  if (frontier.low > box.oldLow - box.newHigh) reach[--frontier.low - 1 + shift] = unreached;
  else frontier.low++;
  if (frontier.high < box.oldHigh - box.newLow) reach[++frontier.high + 1 + shift] = unreached;
  else frontier.high--;
  return frontier;
}
