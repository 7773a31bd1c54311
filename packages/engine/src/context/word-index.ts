import { type ContentId, isBinary, partsOf, type WorkspacePath, wordsIn } from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import type { FileState } from '../log/log.js';
import type { KnownTree } from '../store/known-tree.js';
import { isUnread } from '../store/unread.js';
import { type ComparedPath, comparedPath } from './path-likeness.js';

/** Larger files are data rather than code. */
const FILE_BYTES_LIMIT = 256 * 1024;
/** Distinct words of one file; names at its beginning say most. */
const WORDS_PER_FILE = 1_500;
/** Words of all files together, of four bytes each. Files that come after are found by their names only. */
const WORDS_LIMIT = 12_000_000;
/** Paths that are kept ready for comparing. */
const PATHS_LIMIT = 100_000;
/** For how long the event loop is kept at a time. */
const SLICE_MS = 8;

/** The words of one content, as sorted hashes; of these, `symbols` are names that it defines. */
export type ContentWords = { readonly words: Uint32Array; readonly symbols: Uint32Array };

/**
 * The words of all covered files, by content: what did not change is never read again, and a content that several files hold
 * is kept once. It is caught up on being asked, a slice at a time.
 */
export class WordIndex {
  readonly #known: KnownTree;
  readonly #content: Pick<ContentStore, 'get'>;
  readonly #byContent = new Map<ContentId, ContentWords>();
  readonly #paths = new Map<WorkspacePath, ComparedPath>();
  #words = 0;
  #catching: Promise<void> | null = null;

  constructor(known: KnownTree, content: Pick<ContentStore, 'get'>) {
    this.#known = known;
    this.#content = content;
  }

  get(content: ContentId): ContentWords | undefined {
    return this.#byContent.get(content);
  }

  comparedPath(path: WorkspacePath): ComparedPath {
    const known = this.#paths.get(path);
    if (known !== undefined) return known;
    if (this.#paths.size >= PATHS_LIMIT) this.#paths.clear();
    const compared = comparedPath(path);
    this.#paths.set(path, compared);
    return compared;
  }

  /** Waits until all is known, and no longer than this; what is not known by then is made known behind it. */
  async caughtUp(withinMs: number): Promise<'complete' | 'incomplete'> {
    this.#catching ??= this.#catchUp().finally(() => {
      this.#catching = null;
    });
    // Nobody may be waiting any more when it fails; whoever asks next tries again.
    const done = this.#catching.then(
      () => 'complete' as const,
      () => 'incomplete' as const,
    );
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'incomplete'>((resolve) => {
      timer = setTimeout(() => resolve('incomplete'), withinMs);
      timer.unref();
    });
    const first = await Promise.race([done, late]);
    clearTimeout(timer);
    return first;
  }

  async #catchUp(): Promise<void> {
    const needed = new Set<ContentId>();
    let since = performance.now();
    for (const state of this.#known.states()) {
      if (!isIndexed(state)) continue;
      needed.add(state.content);
    }
    for (const [content, { words }] of this.#byContent) {
      if (needed.has(content)) continue;
      this.#byContent.delete(content);
      this.#words -= words.length;
    }
    for (const content of needed) {
      if (this.#byContent.has(content)) continue;
      if (this.#words >= WORDS_LIMIT) return;
      const found = await this.#content.get(content);
      const words = found.ok && !isBinary(found.value) ? wordsOf(decoder.decode(found.value)) : NO_WORDS;
      this.#byContent.set(content, words);
      this.#words += words.words.length;
      if (performance.now() - since < SLICE_MS) continue;
      await new Promise((resolve) => setImmediate(resolve));
      since = performance.now();
    }
  }
}

export function isIndexed(state: FileState): boolean {
  return !isUnread(state) && state.mode !== '120000' && state.size > 0 && state.size <= FILE_BYTES_LIMIT;
}

const decoder = new TextDecoder();
const NO_WORDS: ContentWords = { words: new Uint32Array(0), symbols: new Uint32Array(0) };

function wordsOf(text: string): ContentWords {
  const words = new Set<number>();
  for (const [written] of text.matchAll(WRITTEN)) {
    if (words.size >= WORDS_PER_FILE) break;
    if (written.length > LONGEST_WORD) continue;
    for (const key of keysOf(written)) words.add(key);
  }
  const symbols = new Set<number>();
  for (const [, name] of text.matchAll(DEFINITION)) {
    if (symbols.size >= WORDS_PER_FILE) break;
    if (name!.length <= LONGEST_WORD) symbols.add(hash(name!.toLowerCase()));
  }
  return { words: sorted(words), symbols: sorted(symbols) };
}

/** What is longer is no word: a key, or an image. */
const LONGEST_WORD = 64;
const WRITTEN = /[\p{L}_$][\p{L}\p{N}_$]+/gu;
/** What defines a name in the languages that people write. */
const DEFINITION =
  /(?:^|[\s({;,])(?:function\*?|class|interface|type|enum|struct|trait|impl|mod|module|def|fn|func|fun|sub|proc|macro_rules!|const|let|var|val|static|namespace|package|protocol|object|record|union|table|view)\s+([\p{L}_$][\p{L}\p{N}_$]*)/gmu;

/** A word is found as a whole, and by its parts. */
function keysOf(written: string): readonly number[] {
  const parts = partsOf(written);
  const whole = wordsIn(written);
  return [...whole, ...parts].filter((word) => word.length > 1).map(hash);
}

export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

function sorted(hashes: ReadonlySet<number>): Uint32Array {
  return Uint32Array.from(hashes).sort();
}

export function holds(hashes: Uint32Array, wanted: number): boolean {
  let [low, high] = [0, hashes.length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = hashes[middle]!;
    if (value === wanted) return true;
    if (value < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
