import { type FoundFact, partsOf, type Term, type WorkspacePath, wordsIn } from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import type { FileState } from '../log/log.js';
import type { KnownTree } from '../store/known-tree.js';
import { comparable, likenessOfPath } from './path-likeness.js';
import type { Retrieval, RetrievalAnswer, RetrievalQuestion } from './retrieval.js';
import { type ContentWords, hash, holds, isIndexed, WordIndex } from './word-index.js';

/** How long a question waits for the index. A person waits for an answer, and the next question finds more. */
const WAIT_MS = 1_000;
/** Lines around what was found. */
const [LINES_BEFORE, LINES_AFTER] = [4, 16];
/** A file that has none of the names, and only words that stand everywhere, says nothing. */
const LEAST_SCORE = 0.25;
const [NAME_WEIGHT, SYMBOL_WEIGHT, WORD_WEIGHT] = [6, 4, 1];

type Wanted = {
  readonly kind: Term['kind'];
  readonly text: string;
  readonly whole: number;
  readonly parts: readonly number[];
};
type Scored = { readonly state: FileState; readonly score: number };

/** By names of files, by what they define, and by their words; rare words count for more than common ones. */
export class WordRetrieval implements Retrieval {
  readonly #known: KnownTree;
  readonly #content: Pick<ContentStore, 'get'>;
  readonly #index: WordIndex;

  constructor(known: KnownTree, content: Pick<ContentStore, 'get'>) {
    this.#known = known;
    this.#content = content;
    this.#index = new WordIndex(known, content);
  }

  async find({ terms, except, limit }: RetrievalQuestion): Promise<RetrievalAnswer> {
    const wanted = terms.map(wantedOf);
    if (wanted.length === 0) return { found: [], incomplete: false };
    const state = await this.#index.caughtUp(WAIT_MS);
    const best = this.#score(wanted, except)
      .toSorted((a, b) => b.score - a.score || (a.state.path < b.state.path ? -1 : 1))
      .slice(0, limit);
    const found: FoundFact[] = [];
    for (const { state: file } of best) {
      const place = await this.#place(file, wanted);
      if (place !== null) found.push(place);
    }
    return { found, incomplete: state === 'incomplete' };
  }

  #score(wanted: readonly Wanted[], except: ReadonlySet<WorkspacePath>): readonly Scored[] {
    const files: FileState[] = [];
    for (const state of this.#known.states()) if (isIndexed(state) && !except.has(state.path)) files.push(state);
    // One row of numbers for each file: ten thousand lists of their own cost more than all comparing.
    const width = wanted.length;
    const hits = new Float32Array(files.length * width);
    const counts = new Uint32Array(width);
    for (const [row, { content }] of files.entries()) {
      const words = this.#index.get(content);
      if (words === undefined) continue;
      for (let at = 0; at < width; at++) {
        const hit = strengthOf(words, wanted[at]!);
        hits[row * width + at] = hit;
        if (hit >= WORD_WEIGHT) counts[at] = counts[at]! + 1;
      }
    }
    const hasNames = wanted.some(({ kind }) => kind === 'name');
    const rarity = Array.from(counts, (count) => Math.log(1 + files.length / (1 + count)));
    const scored: Scored[] = [];
    for (const [row, state] of files.entries()) {
      const path = this.#index.comparedPath(state.path);
      const scores = { name: 0, word: 0 };
      for (let at = 0; at < width; at++) {
        const { kind, text } = wanted[at]!;
        scores[kind] += hits[row * width + at]! * rarity[at]! + likenessOfPath(path, text) * NAME_WEIGHT;
      }
      // Who names something means that: words only tell two such places apart.
      const isMeant = !hasNames || scores.name > 0;
      const score = isMeant ? scores.name + scores.word * WORD_STRENGTH : 0;
      if (score >= LEAST_SCORE) scored.push({ state, score });
    }
    return scored;
  }

  /** The stretch of lines around the one that says most. */
  async #place({ path, content }: FileState, wanted: readonly Wanted[]): Promise<FoundFact | null> {
    const bytes = await this.#content.get(content);
    if (!bytes.ok) return null;
    const lines = decoder.decode(bytes.value).match(/[^\n]*\n|[^\n]+$/g) ?? [];
    let [best, at] = [-1, 0];
    lines.forEach((line, index) => {
      const score = scoreOfLine(line, wanted);
      if (score > best) [best, at] = [score, index];
    });
    const first = best <= 0 ? 0 : Math.max(0, at - LINES_BEFORE);
    const shown = lines.slice(first, first + LINES_BEFORE + LINES_AFTER);
    return shown.length === 0 ? null : { path, content, from: first + 1, lines: shown };
  }
}

const WORD_STRENGTH = 0.4;
const decoder = new TextDecoder();

/** A definition counts for most; a name whose parts all stand there for a little. */
function strengthOf({ words, symbols }: ContentWords, { whole, parts }: Wanted): number {
  if (holds(words, whole)) return holds(symbols, whole) ? SYMBOL_WEIGHT : WORD_WEIGHT;
  return parts.length > 1 && parts.every((part) => holds(words, part)) ? WORD_WEIGHT / 2 : 0;
}

function wantedOf({ kind, text }: Term): Wanted {
  const [whole = comparable(text)] = wordsIn(text);
  return { kind, text: comparable(text), whole: hash(whole), parts: partsOf(text).map(hash) };
}

function scoreOfLine(line: string, wanted: readonly Wanted[]): number {
  const compared = comparable(line);
  let score = 0;
  for (const { kind, text } of wanted) {
    if (!compared.includes(text)) continue;
    score += kind === 'name' ? 3 : 1;
    if (DEFINES.test(line)) score += 1;
  }
  return score;
}

const DEFINES = /\b(?:function|class|interface|type|enum|struct|trait|def|fn|func|fun|const)\b/;
