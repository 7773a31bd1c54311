import { type ContentId, LAST_LINE, type LineRange, lineCount } from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';

/** What agents' tools show of a file at most when the call does not say how much it wants. */
const SHOWN_UNASKED = 2_000;

/**
 * The lines that a read put in front of the model; undefined for all of them. `told`: as the tool itself says. Where it
 * says nothing, it is taken to have stopped where such tools stop: a line that was not shown must not count as seen.
 */
export async function shownByTool(
  asked: LineRange | undefined,
  told: LineRange | null,
  file: { readonly content: ContentId; readonly size: number },
  store: Pick<ContentStore, 'get'>,
): Promise<LineRange | undefined> {
  // Each line has a byte at least, so a small file needs no counting.
  if (told === null && asked === undefined && file.size <= SHOWN_UNASKED) return undefined;
  const { from, to } = told ?? asked ?? { from: 1, to: LAST_LINE };
  const cut = told === null && to === LAST_LINE ? { from, to: from + SHOWN_UNASKED - 1 } : { from, to };
  return upToEnd(cut, file.content, store);
}

/** Who sees the last line sees that there is no other: tools say so, or that there is more. */
export async function upToEnd(
  lines: LineRange | undefined,
  content: ContentId,
  store: Pick<ContentStore, 'get'>,
): Promise<LineRange | undefined> {
  if (lines === undefined) return undefined;
  const bytes = lines.to === LAST_LINE ? null : await store.get(content);
  if (bytes !== null && (!bytes.ok || lineCount(bytes.value) > lines.to)) return lines;
  return lines.from === 1 ? undefined : { from: lines.from, to: LAST_LINE };
}
