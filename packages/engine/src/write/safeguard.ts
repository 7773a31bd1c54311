import {
  type ContentId,
  differingLines,
  LineAccount,
  type LineTally,
  LineWitness,
  type PlannedLines,
  tallyLines,
} from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import type { FileWrite } from './writer.js';

/** What is planned for one file, under whatever names, and how the file came to be what it is. */
export type Guarded = {
  readonly writes: readonly FileWrite[];
  /** Contents of `writes` that are not stored yet. */
  readonly fresh: readonly Uint8Array[];
  /** Oldest first. */
  readonly past: readonly PastStep[];
  /** What its names held before all that; asked for only where lines came, went and came back. */
  readonly earlier: () => readonly ContentId[];
};

export type PastStep = {
  readonly before: ContentId | null;
  readonly after: ContentId | null;
  /**
   * Whose step it was. What an agent brought may be taken out of the file; of a step that is itself taken back or brought
   * again, what it brought as well as what it removed; of a person's, nothing. A decision brings what others wrote.
   */
  readonly hand: 'agent' | 'asked' | 'person' | 'decision';
  /** It is to be taken back: so this, and none of the other steps of agents, most likely wrote what goes. */
  readonly isTaken?: boolean;
  /** What went from other files in the same go: it was not written by whoever made this one. */
  readonly vanished: readonly Beside[];
  /** What came to other files in the same go: it was not taken out by whoever made this one. */
  readonly appeared: readonly Beside[];
};

/** A text that stood in a file on one side of a step, and what stood there on the other. Lines of both never moved. */
export type Beside = { readonly content: ContentId; readonly other: ContentId | null };

const BESIDE_LIMIT = 32;
/** In doubt so many contents are read; past it nothing is taken out. */
const EARLIER_LIMIT = 200;

/**
 * Looks at a plan that takes something out of files, just before it is carried out, and names the files of which lines
 * would go that nobody may take out: those of people, and those that came from elsewhere. By their places in the list.
 */
export async function linesAtRisk(
  files: readonly Guarded[],
  content: Pick<ContentStore, 'get' | 'idOf'>,
): Promise<ReadonlySet<number>> {
  const tallies = new Tallies(content, files);
  const planned: { readonly index: number; readonly lines: PlannedLines }[] = [];
  const concerned: { readonly file: Guarded; readonly standing: (line: string) => number }[] = [];
  for (const [index, file] of files.entries()) {
    if (file.writes.length === 0 || isPlainlyBack(file)) continue;
    for (const { expected, next } of file.writes)
      planned.push({ index, lines: await tallies.differing(expected?.content, next?.content) });
    const present = file.writes.flatMap(({ expected }) => expected?.content ?? []);
    concerned.push({ file, standing: (line) => present.reduce((sum, id) => sum + tallies.countOf(line, id), 0) });
  }
  const lines = planned.map((one) => one.lines);
  const heard = async (isHeard: (step: PastStep) => boolean) => {
    const account = new LineAccount(lines);
    for (const { file, standing } of concerned) {
      if (account.isSettled) break;
      await hear(new LineWitness(account, standing), file, isHeard, account, tallies);
    }
    return account;
  };
  // Whose of several agents a line is makes no difference, so mostly the past of a long file need not be read.
  const hasHint = concerned.some(({ file }) => file.past.some(({ isTaken }) => isTaken));
  if (hasHint && (await heard(({ hand, isTaken }) => hand !== 'agent' || isTaken === true)).isSettled) return NONE;
  const account = await heard(() => true);
  return new Set(planned.filter((one) => account.isLosing(one.lines)).map(({ index }) => index));
}

const NONE: ReadonlySet<number> = new Set();

/** What the past of one file tells of the lines that nobody answers for yet. */
async function hear(
  witness: LineWitness,
  { past, earlier }: Guarded,
  isHeard: (step: PastStep) => boolean,
  account: LineAccount,
  tallies: Tallies,
): Promise<void> {
  for (const [at, step] of [...past.entries()].reverse()) {
    if (account.isSettled) return;
    if (step.hand === 'decision' || !isHeard(step) || (step.hand === 'agent' && isReturn(past, at))) continue;
    const isAlone = step.vanished.length === 0 && step.appeared.length === 0;
    const lines = isAlone
      ? await tallies.differing(step.before, step.after)
      : { before: await tallies.of(step.before), after: await tallies.of(step.after) };
    const beside = await tallies.besides(step.vanished);
    if (step.hand === 'asked') witness.asked(lines, beside, await tallies.besides(step.appeared));
    else if (step.hand === 'agent') witness.agentWrote({ ...lines, beside });
    else witness.personWrote({ ...lines, beside });
  }
  if (!witness.isInDoubt) return;
  const before = [...new Set([past[0]?.before ?? [], earlier()].flat())];
  if (before.length > EARLIER_LIMIT) return;
  for (const id of before) {
    const text = await tallies.of(id);
    if (text !== null) witness.held(text);
  }
  witness.conclude();
}

function without(all: LineTally, stayed: LineTally): LineTally {
  const counts = new Map<string, number>();
  let length = 0;
  for (const [line, count] of all.counts) {
    const gone = count - (stayed.counts.get(line) ?? 0);
    if (gone <= 0) continue;
    counts.set(line, gone);
    length += gone * line.length;
  }
  return { counts, length };
}

/** Content that was there before was not written by whoever brought it back. */
function isReturn(past: readonly PastStep[], at: number): boolean {
  const { after } = past[at]!;
  return past.some((step, index) => (index < at && step.after === after) || (index <= at && step.before === after));
}

/** By far most plans take back the last step and nothing else, and need no reading. */
function isPlainlyBack({ writes, past }: Guarded): boolean {
  const last = past.at(-1);
  const [only] = writes;
  if (last === undefined || only === undefined || writes.length > 1) return false;
  if (last.hand !== 'agent' || last.vanished.length > 0 || isReturn(past, past.length - 1)) return false;
  return only.expected?.content === last.after && (only.next?.content ?? null) === last.before;
}

class Tallies {
  readonly #content: Pick<ContentStore, 'get' | 'idOf'>;
  /** What cannot be read has no lines that we know of. */
  readonly #texts = new Map<ContentId, Uint8Array>();
  readonly #whole = new Map<ContentId, LineTally>();

  constructor(content: Pick<ContentStore, 'get' | 'idOf'>, files: readonly Guarded[]) {
    this.#content = content;
    for (const { fresh } of files) for (const bytes of fresh) this.#texts.set(content.idOf(bytes), bytes);
  }

  async of(id: ContentId | null | undefined): Promise<LineTally | null> {
    if (id === null || id === undefined) return null;
    await this.#text(id);
    return this.#tally(id);
  }

  /** Both sides of a step less what they have in common at the beginning and at the end: what came and went is the same. */
  async differing(before: ContentId | null | undefined, after: ContentId | null | undefined): Promise<PlannedLines> {
    const [old, next] = [await this.#text(before), await this.#text(after)];
    if (old === null || next === null) return { before: await this.of(before), after: await this.of(after) };
    const [went, came] = differingLines(old, next);
    return { before: tallyLines(went), after: tallyLines(came) };
  }

  /** Of a text that was asked for before. */
  countOf(line: string, id: ContentId): number {
    return this.#tally(id).counts.get(line) ?? 0;
  }

  async #text(id: ContentId | null | undefined): Promise<Uint8Array | null> {
    if (id === null || id === undefined) return null;
    const known = this.#texts.get(id);
    if (known !== undefined) return known;
    const found = await this.#content.get(id);
    const text = found.ok ? found.value : NO_BYTES;
    this.#texts.set(id, text);
    return text;
  }

  #tally(id: ContentId): LineTally {
    const known = this.#whole.get(id) ?? tallyLines(this.#texts.get(id) ?? NO_BYTES);
    this.#whole.set(id, known);
    return known;
  }

  /** The lines that are on one side of a step only. */
  async besides(besides: readonly Beside[]): Promise<readonly LineTally[]> {
    const tallies: LineTally[] = [];
    for (const { content, other } of besides.slice(0, BESIDE_LIMIT))
      tallies.push(without((await this.of(content)) ?? EMPTY, (await this.of(other)) ?? EMPTY));
    return tallies;
  }
}

const NO_BYTES = new Uint8Array();
const EMPTY: LineTally = { counts: new Map(), length: 0 };
