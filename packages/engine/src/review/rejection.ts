import {
  type ContentId,
  formatHunkHeader,
  kindOfChange,
  type LineSpan,
  type Lines,
  type Rejection,
  type ReviewEntry,
  sessionOf,
} from '@palimpsest/core';
import { lineText, type Texts } from './texts.js';

/** More than this of one change, and more changes than this, is not read by a model but skipped. */
const DIFF_CHARS = 800;
const TOLD_CHANGES = 20;

/** What the sessions of rejected changes shall hear: a short diff each, oldest first, the rest counted. */
export async function rejectionsOf(
  entries: readonly ReviewEntry[],
  takenBack: (entry: ReviewEntry, hunk: number) => boolean,
  texts: Texts,
): Promise<readonly Rejection[]> {
  const told = new Map<string, Rejection[]>();
  const silent = new Map<string, number>();
  for (const entry of entries) {
    const session = sessionOf(entry.author);
    if (session === null) continue;
    const earlier = told.get(session) ?? [];
    told.set(session, earlier);
    if (earlier.length < TOLD_CHANGES) {
      earlier.push({ session, path: entry.path, text: await shortDiff(entry, takenBack, texts) });
    } else silent.set(session, (silent.get(session) ?? 0) + 1);
  }
  for (const [session, count] of silent) {
    const list = told.get(session)!;
    const last = list.pop()!;
    list.push({ ...last, text: `${last.text}\n… and ${count} more of your changes` });
  }
  return [...told.values()].flat();
}

async function shortDiff(
  entry: ReviewEntry,
  takenBack: (entry: ReviewEntry, hunk: number) => boolean,
  texts: Texts,
): Promise<string> {
  const { file } = entry;
  const kind = kindOfChange(file);
  if (file.binary || file.spans.length === 0) {
    return kind === 'rename' ? `rename ${file.fromPath} to ${file.path}` : `${kind} ${file.path}`;
  }
  const [before, after] = await Promise.all([linesOf(file.before, texts), linesOf(file.after, texts)]);
  const parts: string[] = [];
  let length = 0;
  for (const [index, span] of file.spans.entries()) {
    if (!takenBack(entry, index)) continue;
    const text = hunkText(span, before, after);
    parts.push(text);
    length += text.length;
    if (length > DIFF_CHARS) break;
  }
  const whole = parts.join('\n');
  return whole.length <= DIFF_CHARS ? whole : `${whole.slice(0, DIFF_CHARS)}\n…`;
}

function hunkText(span: LineSpan, before: Lines | null, after: Lines | null): string {
  const removed = before === null ? [] : rows(before, '-', span.oldStart, span.oldLines);
  const added = after === null ? [] : rows(after, '+', span.newStart, span.newLines);
  return [formatHunkHeader(span), ...removed, ...added].join('\n');
}

function rows(lines: Lines, sign: string, start: number, count: number): readonly string[] {
  const from = Math.max(0, start - 1);
  const to = Math.min(from + count, lines.count, from + DIFF_CHARS);
  if (count === 0) return [];
  const found: string[] = [];
  for (let line = from; line < to; line++) {
    found.push(sign + lineText(lines, line));
  }
  return found;
}

async function linesOf(version: { readonly content: ContentId } | null, texts: Texts): Promise<Lines | null> {
  return version === null ? null : texts.lines(version.content);
}
