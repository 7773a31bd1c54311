import {
  type ContentId,
  coversAll,
  formatUnified,
  isBinary,
  joinRanges,
  type LineRange,
  rangesOverlap,
  type Seen,
  type Sight,
  spokenPath,
  type WorkspacePath,
} from '@palimpsest/core';
import type { GuardPolicy } from '../basis/settings.js';
import type { ContentStore } from '../content/content.js';

/** What is known of a file that has changed since it was seen. */
export type StaleFacts = {
  readonly path: WorkspacePath;
  readonly seen: Seen;
  readonly sight: Sight;
  /** What the edit rests on and was not seen as it is. */
  readonly unseen: readonly LineRange[];
  readonly now: ContentId;
  readonly count: number;
};

export type DiffBudget = { readonly content: ContentStore; readonly diffChars: number };

export function missingText(path: WorkspacePath): string {
  return `${spokenPath(path)} was there when you last saw it and is gone now.`;
}

export function unreadText(named: WorkspacePath, policy: GuardPolicy, lines: readonly LineRange[] | 'all'): string {
  const path = spokenPath(named);
  if (lines === 'all') {
    const what = `${path} exists and has not been read in this session.`;
    return policy === 'deny'
      ? `${what} Read it first, then make the edit again.`
      : `${what} Read it before you rely on what is in it.`;
  }
  const which = spokenLines(joinRanges(lines));
  const what = `This edit rests on ${which} of ${path}. You have not been shown that text as it is now.`;
  return policy === 'deny'
    ? `${what} Nothing was edited. Read ${which} of ${path}, then make the edit again.`
    : `${what} Read ${which} of ${path}.`;
}

export async function staleText(
  facts: StaleFacts,
  verdict: GuardPolicy | 'apart',
  { content, diffChars }: DiffBudget,
): Promise<string> {
  const path = spokenPath(facts.path);
  const diff = await shortDiff(facts, content, diffChars);
  const what = `${path} has changed since you last saw it.${notSeenSince(facts)}`;
  const told = diff === null ? what : `${what} What changed:\n${diff}`;
  const again = `Read ${path} again${atLeast(facts)}`;
  switch (verdict) {
    case 'deny':
      return `${told}\nNothing was edited. ${again}, then make the edit again on what is there now.`;
    case 'apart':
      return `${told}\nYour edit touches other lines and was let through. ${again}, before the next one.`;
    default:
      return `${told}\n${again}.`;
  }
}

/** Said when some of it was shown again: what was shown was not all that changed. */
function notSeenSince({ sight, count }: StaleFacts): string {
  const lines = withinText(changedIn(sight), count);
  if (sight.renewed.length === 0 || lines.length === 0) return '';
  return ` Not shown to you since: ${spokenLines(lines)}.`;
}

/** The lines that must be read for the edit to be let through, unless that is the whole file. */
function atLeast({ sight, unseen, count }: StaleFacts): string {
  const lines = withinText([...changedIn(sight), ...unseen], count);
  const all = lines.length === 1 && lines[0]!.from === 1 && lines[0]!.to === count;
  return lines.length === 0 || all ? '' : `, at least ${spokenLines(lines)}`;
}

/** What other hands wrote, and the lines around where they took some away. */
function changedIn({ missed, cuts }: Sight): readonly LineRange[] {
  const gaps = cuts.filter(({ kind }) => kind === 'gap');
  return [...missed, ...gaps.map(({ after }) => ({ from: after, to: after + 1 }))];
}

function withinText(ranges: readonly LineRange[], count: number): readonly LineRange[] {
  if (coversAll(joinRanges(ranges))) return [{ from: 1, to: count }];
  return joinRanges(
    ranges.flatMap(({ from, to }) => {
      const clipped = { from: Math.max(from, 1), to: Math.min(to, count) };
      return clipped.from > clipped.to ? [] : [clipped];
    }),
  );
}

/** More places than these help nobody. */
const SPOKEN_RANGES = 8;

export function spokenLines(ranges: readonly LineRange[]): string {
  const spoken = ranges.slice(0, SPOKEN_RANGES).map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
  const word = ranges.length === 1 && ranges[0]!.from === ranges[0]!.to ? 'line' : 'lines';
  const rest = ranges.length - spoken.length;
  return `${word} ${spoken.join(', ')}${rest > 0 ? ` and ${rest} more places` : ''}`;
}

/** From the text before the first of what was missed to what is there now, without what was shown since. */
async function shortDiff(facts: StaleFacts, content: ContentStore, limit: number): Promise<string | null> {
  const { path, seen, sight, now } = facts;
  const [before, after] = await Promise.all([content.get(sight.base ?? seen.last.content), content.get(now)]);
  if (!before.ok || !after.ok) return null;
  if (isBinary(before.value) || isBinary(after.value)) return null;
  const unified = decoder.decode(formatUnified({ path, bytes: before.value }, { path, bytes: after.value }));
  const missed = sight.renewed.length === 0 ? null : changedIn(sight);
  const hunks = unified.split(/^(?=@@ )/m).slice(1);
  const told = hunks.filter((hunk) => missed === null || rangesOverlap([newLinesOf(hunk)], missed));
  return told.length === 0 ? null : clip(told.join('').trimEnd(), limit);
}

function newLinesOf(hunk: string): LineRange {
  const [, start, length] = /^@@ \S+ \+(\d+)(?:,(\d+))? @@/.exec(hunk) ?? [];
  const from = Number(start);
  return { from, to: from + Math.max(Number(length ?? 1), 1) - 1 };
}

const decoder = new TextDecoder();

function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit);
  const whole = cut.slice(0, Math.max(cut.lastIndexOf('\n'), 0));
  const left = text.slice(whole.length).split('\n').length - 1;
  return `${whole}\n… ${left} more lines of diff`;
}
