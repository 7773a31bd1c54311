import type { LineTally } from '../lines/tally.js';

/** One file of a plan: its lines on the disk now, and as the plan would have them. Null is no file. */
export type PlannedLines = { readonly before: LineTally | null; readonly after: LineTally | null };

/** Somebody made `after` of `before`; `beside` are other files that may be where lines came from, or went to. */
type LineStep = PlannedLines & { readonly beside: readonly LineTally[] };

/**
 * From here on lines of the one file may have gone to the other: so much of the smaller is in both. Somebody may have put
 * a short file into a long one, or kept little of a long one. In doubt nothing is taken out.
 */
const IN_BOTH = 0.25;

/**
 * The last line of defence of every plan that takes something out of files: a line that is on the disk before and in no
 * file afterwards must have been written by a hand whose work may be taken out. It knows nothing of how the plan was
 * made; it counts lines, in all files of the plan together, and who wrote as many of them.
 */
export class LineAccount {
  readonly #open = new Map<string, number>();

  constructor(files: readonly PlannedLines[]) {
    for (const { before, after } of files) {
      for (const [line, count] of before?.counts ?? []) this.#add(line, count);
      for (const [line, count] of after?.counts ?? []) this.#add(line, -count);
    }
    for (const [line, count] of this.#open) if (count <= 0) this.#open.delete(line);
  }

  /** Nothing goes that nobody answers for. */
  get isSettled(): boolean {
    return this.#open.size === 0;
  }

  get lines(): Iterable<string> {
    return this.#open.keys();
  }

  /** So many of a line are of somebody whose work may go. */
  credit(line: string, count: number): void {
    const open = this.#open.get(line) ?? 0;
    if (count >= open) this.#open.delete(line);
    else if (count > 0) this.#open.set(line, open - count);
  }

  /** Whether lines that nobody answers for would go from this file. */
  isLosing({ before, after }: PlannedLines): boolean {
    for (const line of this.#open.keys()) {
      if ((before?.counts.get(line) ?? 0) > (after?.counts.get(line) ?? 0)) return true;
    }
    return false;
  }

  #add(line: string, count: number): void {
    this.#open.set(line, (this.#open.get(line) ?? 0) + count);
  }
}

/**
 * Goes back through the past of one file, newest step first, and tells the account which of its lines are whose. The
 * last hand that brought a line answers for it. What an agent brought may go. What a person brought is the person's,
 * unless it only came back: then the first hand that ever wrote it answers.
 */
export class LineWitness {
  readonly #account: LineAccount;
  /** How many of a line the file has now. */
  readonly #standing: (line: string) => number;
  /** How many of the lines that stand a person brought. */
  readonly #claimed = new Map<string, number>();
  /** Of claimed lines: how many an agent wrote at the earliest time that is known. */
  readonly #first = new Map<string, number>();

  constructor(account: LineAccount, standing: (line: string) => number) {
    this.#account = account;
    this.#standing = standing;
  }

  /** What is taken back, or brought again, by name: what it brought may go, and what it took as well. */
  asked({ before, after }: PlannedLines, cameFrom: readonly LineTally[], wentTo: readonly LineTally[]): void {
    for (const [line, count] of arrivals(this.#account.lines, { before, after, beside: cameFrom }))
      this.#account.credit(line, count);
    for (const [line, count] of arrivals(this.#account.lines, { before: after, after: before, beside: wentTo }))
      this.#account.credit(line, count);
  }

  agentWrote(step: LineStep): void {
    for (const [line, count] of arrivals(this.#account.lines, step)) {
      const claimed = this.#claimed.get(line) ?? 0;
      const unclaimed = Math.max(0, this.#standing(line) - claimed);
      this.#account.credit(line, Math.min(count, unclaimed));
      if (claimed > 0) this.#first.set(line, count);
    }
  }

  personWrote(step: LineStep): void {
    for (const [line, count] of arrivals(this.#account.lines, step)) {
      this.#claimed.set(line, (this.#claimed.get(line) ?? 0) + count);
      this.#first.delete(line);
    }
  }

  /** Something that the file, or one of its names, held before all of these steps. */
  held(text: LineTally): void {
    for (const line of this.#first.keys()) if (text.counts.has(line)) this.#first.delete(line);
  }

  /** Lines of which only what came earlier can tell whose they are. */
  get isInDoubt(): boolean {
    return this.#first.size > 0;
  }

  /** Nothing earlier is left to be told. */
  conclude(): void {
    for (const [line, count] of this.#first) this.#account.credit(line, Math.min(count, this.#claimed.get(line) ?? 0));
  }
}

/** How many more of each line there are after than before, here and in the files beside that it may come from. */
function arrivals(
  lines: Iterable<string>,
  { before, after, beside }: LineStep,
): readonly (readonly [string, number])[] {
  if (after === null) return [];
  const had = beside.filter((other) => shareInBoth(other, after) >= IN_BOTH);
  if (before !== null) had.push(before);
  return [...lines].flatMap((line) => {
    const found = had.reduce((sum, tally) => sum + (tally.counts.get(line) ?? 0), 0);
    const came = (after.counts.get(line) ?? 0) - found;
    return came > 0 ? [[line, came] as const] : [];
  });
}

/** How much of the smaller of two texts is in the other as well, from 0 to 1. */
function shareInBoth(a: LineTally, b: LineTally): number {
  let common = 0;
  for (const [line, count] of a.counts) common += Math.min(count, b.counts.get(line) ?? 0) * line.length;
  const smaller = Math.min(a.length, b.length);
  return smaller === 0 ? 0 : common / smaller;
}
