import type { Seq } from '../ids.js';
import type { Message, Reduction } from '../message.js';
import { effectiveHistory, type HistoryItem, historyTokens, keptSeqs } from './effective-history.js';
import { supersededReads } from './reads.js';
import type { TokenScale } from './tokens.js';

/** What a history comes to, and what is left out of it at the moment. */
export type ReduceRequest = {
  readonly items: readonly HistoryItem[];
  readonly reductions: readonly Reduction[];
  /** How many tokens it may have. */
  readonly budget: number;
  readonly scale?: TokenScale;
};

/** `fits` says whether it is within the budget now; it is smaller in any case. */
export type Reduced =
  | ({ readonly outcome: 'reduced'; readonly reductions: readonly Reduction[]; readonly fits: boolean } & Sizes)
  | ({ readonly outcome: 'fits' } & Sizes)
  | ({ readonly outcome: 'cannotReduce' } & Sizes);
type Sizes = { readonly before: number; readonly after: number };

/** How many characters are left of large results, step by step. */
const SHRINK_LEVELS = [8000, 4000, 2000, 1000, 500];
/** What the newest part of a history is that stays when nothing better can be done. */
const KEPT_PART = 0.75;
/** Half of a shorter result is not worth a request. */
const HALVED_FROM = 1000;
/** The newest part that stays word by word beside a summary. */
const TAIL_PART = 0.25;

/**
 * Leaves out as little as it takes to come within the budget, the cheapest first: reads that were read again, the largest
 * results of tools, then whole groups of calls and results, the oldest first.
 */
export function reduceHistory(request: ReduceRequest): Reduced {
  const tokens = (reductions: readonly Reduction[]) =>
    historyTokens(effectiveHistory(request.items, reductions), request.scale);
  const before = tokens(request.reductions);
  if (before <= request.budget) return { outcome: 'fits', before, after: before };
  let reductions = together(request.reductions, supersededReads(request.items));
  let after = tokens(reductions);
  for (const level of SHRINK_LEVELS) {
    if (after <= request.budget) break;
    reductions = together(request.reductions, supersededReads(request.items), shrunkResults(request.items, level));
    after = tokens(reductions);
  }
  if (after > request.budget) {
    const shrunk = reductions;
    const groups = callGroups(request.items).slice(0, -1);
    const hiding = (count: number) => together(shrunk, hiddenGroups(groups.slice(0, count)));
    const count = fewest(groups.length, (some) => tokens(hiding(some)) <= request.budget);
    reductions = hiding(count);
    after = tokens(reductions);
  }
  return settled(reductions, before, after, request.budget);
}

/** The newest three quarters of what the model gets, and what is kept in any case. */
export function forcedReduction(request: ReduceRequest): Reduced {
  const now = effectiveHistory(request.items, request.reductions);
  const before = historyTokens(now, request.scale);
  const seqs = now.messages.flatMap(({ from }) => from);
  const gone = seqs.slice(0, Math.max(1, Math.floor(seqs.length * (1 - KEPT_PART))));
  const reductions = together(request.reductions, [{ type: 'hidden', messages: gone }]);
  const after = historyTokens(effectiveHistory(request.items, reductions), request.scale);
  return settled(reductions, before, after, request.budget);
}

/** The largest result of a tool at half its length, also of the last message: for when nothing else can go. */
export function halvedResult(request: ReduceRequest): Reduced {
  const now = effectiveHistory(request.items, request.reductions);
  const before = historyTokens(now, request.scale);
  let largest: { readonly message: Seq; readonly call: string; readonly chars: number } | null = null;
  const standing = new Set(now.messages.flatMap(({ from }) => from));
  for (const { seq, message } of request.items) {
    for (const block of standing.has(seq) ? message.blocks : []) {
      if (block.type !== 'tool-result') continue;
      const cut = request.reductions.find((one) => 'call' in one && one.message === seq && one.call === block.call);
      const chars = cut?.type === 'shrunk' ? cut.chars : cut === undefined ? block.text.length : 0;
      if (chars > (largest?.chars ?? HALVED_FROM)) largest = { message: seq, call: block.call, chars };
    }
  }
  if (largest === null) return { outcome: 'cannotReduce', before, after: before };
  const half = { ...largest, type: 'shrunk' as const, chars: Math.floor(largest.chars / 2) };
  const reductions = together(request.reductions, [half]);
  const after = historyTokens(effectiveHistory(request.items, reductions), request.scale);
  return settled(reductions, before, after, request.budget);
}

/** What a summary is to be made of: all that the model gets up to `upTo`, the last summary included. */
export type Condensing = { readonly upTo: Seq; readonly messages: readonly Message[] };

/** Null when there is nothing to condense that is not kept in any case. */
export function planCondensing({ items, reductions, scale }: Omit<ReduceRequest, 'budget'>): Condensing | null {
  const { messages } = effectiveHistory(items, reductions);
  const whole = historyTokens({ system: [], messages }, scale);
  let tail = messages.length;
  // At least the last message stays, and as much before it as is a quarter of the whole.
  for (let tokens = 0; tail > 0; tail--) {
    tokens += historyTokens({ system: [], messages: [messages[tail - 1]!] }, scale);
    if (tokens > whole * TAIL_PART && tail < messages.length) break;
  }
  // A result does not stay without its call.
  while (tail > 0 && messages[tail]?.message.blocks.some(({ type }) => type === 'tool-result')) tail -= 1;
  const condensed = messages.slice(0, tail);
  const kept = keptSeqs(items);
  const current = reductions.findLast((one) => one.type === 'summary');
  const fresh = condensed
    .flatMap(({ from }) => from)
    .filter((seq) => seq !== kept.task && seq !== kept.latest && seq !== current?.summary);
  if (fresh.length === 0) return null;
  return { upTo: Math.max(...fresh) as Seq, messages: condensed.map(({ message }) => message) };
}

/** The reductions with a summary in the place of all that it stands for, or that it is no smaller so. */
export function condensed(
  { items, reductions, budget, scale }: ReduceRequest,
  upTo: Seq,
  summary: HistoryItem,
): Reduced {
  const before = historyTokens(effectiveHistory(items, reductions), scale);
  const later = reductions.filter((one) => one.type !== 'summary' && isAbout(one, upTo));
  const next: readonly Reduction[] = [{ type: 'summary', summary: summary.seq, upTo }, ...later];
  const after = historyTokens(effectiveHistory([...items, summary], next), scale);
  return settled(next, before, after, budget);
}

function settled(reductions: readonly Reduction[], before: number, after: number, budget: number): Reduced {
  if (after >= before) return { outcome: 'cannotReduce', before, after: before };
  return { outcome: 'reduced', reductions, before, after, fits: after <= budget };
}

/** Each result and each message once, as the last of them says. */
function together(...lists: readonly (readonly Reduction[])[]): readonly Reduction[] {
  const all = lists.flat();
  const results = new Map<string, Reduction>();
  for (const one of all) if ('call' in one) results.set(`${one.message} ${one.call}`, one);
  const hidden = [...new Set(all.flatMap((one) => (one.type === 'hidden' ? one.messages : [])))];
  const summary = all.findLast((one) => one.type === 'summary');
  return [
    ...(summary === undefined ? [] : [summary]),
    ...results.values(),
    ...(hidden.length === 0 ? [] : [{ type: 'hidden' as const, messages: hidden }]),
  ];
}

/** Whether a reduction says anything about what comes after `upTo`. */
function isAbout(reduction: Reduction, upTo: Seq): boolean {
  if (reduction.type === 'hidden') return reduction.messages.some((seq) => seq > upTo);
  return reduction.type === 'summary' || reduction.message > upTo;
}

/** Results longer than this, but for those of the last message, which the model has not answered yet. */
function shrunkResults(items: readonly HistoryItem[], chars: number): readonly Reduction[] {
  const last = items.at(-1)?.seq;
  return items.flatMap(({ seq, message }) =>
    seq === last
      ? []
      : message.blocks.flatMap((block) =>
          block.type === 'tool-result' && block.text.length > chars * 1.25
            ? [{ type: 'shrunk' as const, message: seq, call: block.call, chars }]
            : [],
        ),
  );
}

/** Messages that ask for calls, each with those that answer. */
function callGroups(items: readonly HistoryItem[]): readonly (readonly Seq[])[] {
  const groups: Seq[][] = [];
  let open = new Set<string>();
  for (const { seq, message } of items) {
    const asked = message.blocks.flatMap((block) => (block.type === 'tool-call' ? [block.call] : []));
    const answered = message.blocks.some((block) => block.type === 'tool-result' && open.has(block.call));
    if (message.role === 'assistant' && asked.length > 0) {
      groups.push([seq]);
      open = new Set(asked);
    } else if (answered) groups.at(-1)!.push(seq);
  }
  return groups;
}

function hiddenGroups(groups: readonly (readonly Seq[])[]): readonly Reduction[] {
  return groups.length === 0 ? [] : [{ type: 'hidden', messages: groups.flat() }];
}

/** The smallest number that is enough; the largest when none is. */
function fewest(most: number, isEnough: (count: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
