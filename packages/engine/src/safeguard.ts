import { type ContentId, LineAccount, type LineTally, type PlannedLines, tallyLines } from '@palimpsest/core';
import type { ContentStore } from './content/content.js';
import type { FileWrite } from './writer.js';

/** What is planned for one file, under whatever names, and how the file came to be what it is. */
export type Guarded = {
  readonly writes: readonly FileWrite[];
  /** Contents of `writes` that are not stored yet. */
  readonly fresh: readonly Uint8Array[];
  /** Oldest first. */
  readonly past: readonly PastStep[];
};

export type PastStep = {
  readonly before: ContentId | null;
  readonly after: ContentId | null;
  /**
   * Whose step it was. What an agent wrote may be taken out of the file; of a step that is itself taken back or brought
   * again, what it wrote as well as what it removed; of all others, nothing.
   */
  readonly hand: 'agent' | 'asked' | 'other';
  /** What went from other files in the same go: it was not written by whoever made this one. */
  readonly vanished: readonly Vanished[];
};

/** A text that stood in a file, and what stands there in its place. Lines of it that stayed were copied, not moved. */
export type Vanished = { readonly content: ContentId; readonly left: ContentId | null };

const VANISHED_LIMIT = 32;

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
  const concerned: Guarded[] = [];
  for (const [index, file] of files.entries()) {
    if (file.writes.length === 0 || isPlainlyBack(file)) continue;
    concerned.push(file);
    for (const { expected, next } of file.writes) {
      const [before, after] = [await tallies.of(expected?.content), await tallies.of(next?.content)];
      planned.push({ index, lines: { before, after } });
    }
  }
  const account = new LineAccount(planned.map(({ lines }) => lines));
  for (const { past } of concerned) {
    if (account.isSettled) return NONE;
    await creditAll(account, past, tallies);
  }
  if (account.isSettled) return NONE;
  return new Set(planned.filter(({ lines }) => account.isLosing(lines)).map(({ index }) => index));
}

const NONE: ReadonlySet<number> = new Set();

async function creditAll(account: LineAccount, past: readonly PastStep[], tallies: Tallies): Promise<void> {
  for (const [at, { before, after, hand, vanished }] of [...past.entries()].reverse()) {
    if (account.isSettled) return;
    if (hand === 'other' || (hand === 'agent' && isReturn(past, at))) continue;
    const [old, next] = [await tallies.of(before), await tallies.of(after)];
    if (hand === 'asked') {
      account.credit(old, next ?? EMPTY, []);
      account.credit(next, old ?? EMPTY, []);
      continue;
    }
    const gone: LineTally[] = [];
    for (const { content, left } of vanished.slice(0, VANISHED_LIMIT))
      gone.push(without((await tallies.of(content)) ?? EMPTY, (await tallies.of(left)) ?? EMPTY));
    if (next !== null) account.credit(old, next, gone);
  }
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
  readonly #fresh: ReadonlyMap<ContentId, Uint8Array>;
  readonly #known = new Map<ContentId, LineTally>();

  constructor(content: Pick<ContentStore, 'get' | 'idOf'>, files: readonly Guarded[]) {
    this.#content = content;
    this.#fresh = new Map(files.flatMap(({ fresh }) => fresh.map((bytes) => [content.idOf(bytes), bytes] as const)));
  }

  /** What cannot be read has no lines that we know of. */
  async of(id: ContentId | null | undefined): Promise<LineTally | null> {
    if (id === null || id === undefined) return null;
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const fresh = this.#fresh.get(id);
    const found = fresh === undefined ? await this.#content.get(id) : { ok: true as const, value: fresh };
    const tally = found.ok ? tallyLines(found.value) : EMPTY;
    this.#known.set(id, tally);
    return tally;
  }
}

const EMPTY: LineTally = { counts: new Map(), length: 0 };
