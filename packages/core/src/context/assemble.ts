import { type TokenScale, textTokens } from '../conversation/tokens.js';
import type { ContentId } from '../ids.js';
import { spokenPath, type WorkspacePath } from '../path.js';
import { type LineRange, subtractRanges } from '../ranges.js';
import type { ChangeStatus } from '../views/review-entry.js';
import { cutDiff, cutLines } from './cut.js';
import type { Gates } from './gates.js';
import type { Term } from './terms.js';

/** What was gathered, as far as the gates let it in. */
export type ContextFacts = {
  readonly notices: readonly string[];
  readonly files: readonly FileFact[];
  /** The ledger, newest first. */
  readonly patches: readonly PatchFact[];
  readonly git: GitFact | null;
};

export type FileFact = {
  readonly path: WorkspacePath;
  readonly reason: string;
  /** Its lines, terminators included; or why there are none. */
  readonly lines: readonly string[] | 'missing' | 'binary' | 'too large';
  /** Those that the model has in front of it as they are. */
  readonly visible: readonly LineRange[];
};

export type PatchFact = {
  readonly id: string;
  readonly path: WorkspacePath;
  readonly summary: string;
  readonly status: ChangeStatus;
  /** Null where it was not asked for, or cannot be had. */
  readonly diff: string | null;
  /** The model made it with its own words, and has them in front of it. */
  readonly isVisible: boolean;
};

export type GitFact = { readonly staged: GitPart; readonly unstaged: GitPart };
export type GitPart = {
  readonly files: readonly { readonly path: string; readonly added: number; readonly removed: number }[];
  readonly diff: string;
};

/** What retrieval found in a file that is not shown yet. */
export type FoundFact = {
  readonly path: WorkspacePath;
  readonly content: ContentId;
  readonly from: number;
  readonly lines: readonly string[];
};

export type BlockKind = 'notices' | 'open-file' | 'patch-summary' | 'patch' | 'git-summary' | 'git-diff' | 'found';

export type ContextBlock = {
  readonly kind: BlockKind;
  /** Why it is in. */
  readonly reason: string;
  readonly tokens: number;
  readonly path?: WorkspacePath;
  /** The lines of the file that are in it. */
  readonly lines?: readonly LineRange[];
  /** The change that it is the diff of. */
  readonly change?: string;
  readonly text: string;
};

export type AssembledContext = {
  readonly blocks: readonly ContextBlock[];
  readonly tokens: number;
  readonly budget: number;
  readonly left: number;
  /** What would have been in, and is not. */
  readonly omitted: readonly { readonly kind: BlockKind; readonly path?: WorkspacePath; readonly why: string }[];
};

export const DEFAULT_CONTEXT_BUDGET = 8_000;

/** How much of the budget the blocks of a kind may take together. */
export const SHARES: Readonly<Record<BlockKind, number>> = {
  notices: 0.15,
  'open-file': 0.5,
  'patch-summary': 0.08,
  patch: 0.5,
  'git-summary': 0.08,
  'git-diff': 0.5,
  found: 0.4,
};
/** How much of the budget one file may take. */
const FILE_SHARE = 0.25;
/** Diffs that nobody asked for come along when all of them together are this small a part. */
const CHEAP_SHARE = 0.15;

const IN_SIGHT = 'the model has it in front of it, unchanged';
const NO_ROOM = 'no room';

/** Blocks in the order in which the model reads them. A budget is never exceeded: not in all, and not by a kind. */
export function assembleContext(
  gates: Gates,
  facts: ContextFacts,
  { budget, scale }: { readonly budget: number; readonly scale: TokenScale },
): AssembledContext {
  const page = new Page(budget, scale);
  // The summary is small and always there, so it is the first that gets room; it is read after the files.
  const summary = page.lines('patch-summary', 'what calls did lately', facts.patches.map(patchLine), SUMMARY_HEAD);
  const notices = page.lines('notices', 'the session should know', facts.notices, NOTICES_HEAD);
  const files = facts.files.flatMap((file) => fileBlocks(page, file));
  const patches = patchBlocks(page, gates, facts.patches);
  const git = facts.git === null || gates.git === null ? [] : gitBlocks(page, facts.git, gates.git);
  return page.context([...notices, ...files, ...summary, ...patches, ...git]);
}

/** The same with what was found for it, as far as there is room left. */
export function withFound(
  context: AssembledContext,
  found: readonly FoundFact[],
  reason: string,
  scale: TokenScale,
): AssembledContext {
  const page = new Page(context.budget, scale, context);
  const blocks = found.flatMap(({ path, from, lines }) => {
    const last = from + lines.length - 1;
    const around = (text: string) => `${spokenPath(path)}, lines ${from}-${last}:\n${fenced(text)}`;
    const room = page.room('found');
    const cut = cutLines(lines, [{ from: 1, to: lines.length }], room - overheadOf(around(''), page.scale), page.scale);
    if (cut === null || cut.lines.length !== 1 || cut.lines[0]!.to !== lines.length)
      return page.omit('found', NO_ROOM, path);
    return page.add({ kind: 'found', reason, path, lines: [{ from, to: last }], text: around(cut.text) });
  });
  return page.context([...context.blocks, ...blocks], context.omitted);
}

/** What of the terms stands in none of the texts: only that is worth looking for. */
export function uncovered(terms: readonly Term[], texts: readonly string[]): readonly Term[] {
  const all = texts.map((text) => text.toLowerCase());
  return terms.filter(({ text }) => !all.some((one) => one.includes(text.toLowerCase())));
}

const SUMMARY_HEAD = 'What tool calls changed lately, newest first:';
const NOTICES_HEAD = 'Notices:';

function patchLine({ path, summary, status }: PatchFact): string {
  return `- ${spokenPath(path)}: ${summary}${status === 'pending' ? '' : `, ${status}`}`;
}

function fileBlocks(page: Page, { path, reason, lines, visible }: FileFact): readonly ContextBlock[] {
  if (typeof lines === 'string') return page.omit('open-file', lines, path);
  const unseen = subtractRanges([{ from: 1, to: Math.max(lines.length, 1) }], visible);
  if (unseen.length === 0) return page.omit('open-file', IN_SIGHT, path);
  if (lines.length === 0)
    return page.add({ kind: 'open-file', reason, path, lines: [], text: `${spokenPath(path)} is empty.\n` });
  const around = (text: string, shown: string) => `${spokenPath(path)}, ${shown} (${reason}):\n${fenced(text)}`;
  const head = overheadOf(
    around('', `lines ${lines.length}-${lines.length} and others of ${lines.length}`),
    page.scale,
  );
  const room = Math.min(page.room('open-file'), Math.floor(page.budget * FILE_SHARE));
  const cut = cutLines(lines, unseen, room - head - FENCE_TOKENS, page.scale);
  if (cut === null) return page.omit('open-file', NO_ROOM, path);
  const text = around(cut.text, shownText(cut.lines, lines.length));
  return page.add({ kind: 'open-file', reason, path, lines: cut.lines, text });
}

function shownText(shown: readonly LineRange[], count: number): string {
  const [first] = shown;
  if (first === undefined)
    return count === 1 ? 'the beginning of its one line' : `the beginning of one of ${count} lines`;
  if (shown.length === 1 && first.from === 1 && first.to === count)
    return count === 1 ? 'its one line' : `all ${count} lines`;
  return shown.length === 1
    ? `lines ${first.from}-${first.to} of ${count}`
    : `lines ${first.from}-${first.to} and others of ${count}`;
}

/** Asked for, or before more edits: as many as fit, cut where they must be. Otherwise only if all of them come cheap. */
function patchBlocks(page: Page, { diffs, isIdle }: Gates, patches: readonly PatchFact[]): readonly ContextBlock[] {
  const standing = patches.filter(({ diff, status }) => diff !== null && status !== 'rejected');
  const wanted = diffs === null ? standing.filter(({ isVisible }) => !isVisible) : standing;
  if (diffs === null) {
    const cost = wanted.reduce((sum, { diff }) => sum + textTokens(diff!, page.scale) + DIFF_TOKENS, 0);
    if (isIdle || cost > Math.min(page.budget * CHEAP_SHARE, page.room('patch'))) return [];
  }
  return wanted.flatMap(({ id, path, diff }) => {
    const cut = cutDiff(diff!, page.room('patch') - DIFF_TOKENS, page.scale);
    if (cut === null) return page.omit('patch', NO_ROOM, path);
    return page.add({
      kind: 'patch',
      reason: diffs ?? 'there is room for it',
      path,
      change: id,
      text: fenced(cut, 'diff'),
    });
  });
}

/** The summary first: where the diff does not fit, it still says where to look. */
function gitBlocks(page: Page, { staged, unstaged }: GitFact, reason: string): readonly ContextBlock[] {
  const parts = [
    ['staged', staged],
    ['not staged', unstaged],
  ] as const;
  const lines = parts.flatMap(([name, { files }]) =>
    files.map(({ path, added, removed }) => `- ${name}: ${spokenPath(path)} +${added} −${removed}`),
  );
  if (lines.length === 0) return page.omit('git-summary', 'nothing differs from the last commit');
  const summary = page.lines('git-summary', reason, lines, 'What git has as changed:');
  const diffs = parts.flatMap(([name, { diff }]) => {
    if (diff === '') return [];
    const cut = cutDiff(diff, page.room('git-diff') - DIFF_TOKENS - GIT_HEAD_TOKENS, page.scale);
    if (cut === null) return page.omit('git-diff', NO_ROOM);
    return page.add({ kind: 'git-diff', reason, text: `The diff of what is ${name}:\n${fenced(cut, 'diff')}` });
  });
  return [...summary, ...diffs];
}

/** Around a diff: the fence and the word after it. */
const DIFF_TOKENS = 12;
const GIT_HEAD_TOKENS = 14;
const FENCE_TOKENS = 8;

/** A fence that nothing inside can close. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = '`'.repeat(Math.min(longest + 1, LONGEST_FENCE));
  return `${fence}${language}\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${fence}\n`;
}

const LONGEST_FENCE = 40;

function overheadOf(text: string, scale: TokenScale): number {
  return textTokens(text, scale) + BETWEEN_TOKENS;
}

/** The line feed between two blocks. */
const BETWEEN_TOKENS = 1;

/** Keeps the accounts: what a block takes is gone for its kind and for all. */
class Page {
  readonly budget: number;
  readonly scale: TokenScale;
  readonly #used = new Map<BlockKind, number>();
  readonly #omitted: AssembledContext['omitted'][number][] = [];
  #total = 0;

  constructor(budget: number, scale: TokenScale, before?: AssembledContext) {
    this.budget = budget;
    this.scale = scale;
    for (const { kind, tokens } of before?.blocks ?? []) this.#spend(kind, tokens);
  }

  room(kind: BlockKind): number {
    const own = Math.floor(this.budget * SHARES[kind]) - (this.#used.get(kind) ?? 0);
    return Math.max(0, Math.min(own, this.budget - this.#total));
  }

  /** The block, if it keeps to what there is; a wrong guess before must not break the budget. */
  add(block: Omit<ContextBlock, 'tokens'>): readonly ContextBlock[] {
    const tokens = textTokens(block.text, this.scale) + BETWEEN_TOKENS;
    if (tokens > this.room(block.kind)) return this.omit(block.kind, NO_ROOM, block.path);
    this.#spend(block.kind, tokens);
    return [{ ...block, tokens }];
  }

  /** A list under a heading; what does not fit is counted. */
  lines(kind: BlockKind, reason: string, lines: readonly string[], head: string): readonly ContextBlock[] {
    if (lines.length === 0) return [];
    const text = (count: number) => {
      const rest = lines.length - count;
      return [head, ...lines.slice(0, count), ...(rest > 0 ? [`- and ${rest} more`] : [])]
        .map((line) => `${line}\n`)
        .join('');
    };
    let count = lines.length;
    while (count > 0 && overheadOf(text(count), this.scale) > this.room(kind)) count -= 1;
    return count === 0 ? this.omit(kind, NO_ROOM) : this.add({ kind, reason, text: text(count) });
  }

  omit(kind: BlockKind, why: string, path?: WorkspacePath): readonly [] {
    this.#omitted.push(path === undefined ? { kind, why } : { kind, path, why });
    return [];
  }

  context(blocks: readonly ContextBlock[], omittedBefore: AssembledContext['omitted'] = []): AssembledContext {
    const { budget } = this;
    return {
      blocks,
      tokens: this.#total,
      budget,
      left: budget - this.#total,
      omitted: [...omittedBefore, ...this.#omitted],
    };
  }

  #spend(kind: BlockKind, tokens: number): void {
    this.#used.set(kind, (this.#used.get(kind) ?? 0) + tokens);
    this.#total += tokens;
  }
}
