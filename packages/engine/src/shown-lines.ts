import { type ContentId, LAST_LINE, type LineRange, lineCount } from '@palimpsest/core';
import type { ContentStore } from './content/content.js';

/** What agents' tools show of a file at most when the call does not say how much it wants. */
const SHOWN_UNASKED = 2_000;

/**
 * The lines that a read put in front of the model; undefined for all of them. `told`: as the tool itself says. Where it
 * says nothing, it is taken to have stopped where such tools stop: a line that was not shown must not count as seen.
 */
export async function shownLines(
  asked: LineRange | undefined,
  told: LineRange | null,
  file: { readonly content: ContentId; readonly size: number },
  store: Pick<ContentStore, 'get'>,
): Promise<LineRange | undefined> {
  if (told !== null) return told.from === 1 && told.to === LAST_LINE ? undefined : told;
  const { from, to } = asked ?? { from: 1, to: LAST_LINE };
  // Each line has a byte at least, so a small file needs no counting.
  if (to !== LAST_LINE || file.size <= SHOWN_UNASKED) return asked;
  const bytes = await store.get(file.content);
  const shown = { from, to: from + SHOWN_UNASKED - 1 };
  return bytes.ok && lineCount(bytes.value) <= shown.to ? asked : shown;
}
