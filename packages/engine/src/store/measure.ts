import { diffLines, type FileVersion, isBinary, type LineSpan } from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import { isUnread } from './unread.js';

export type Measured = { readonly binary: boolean; readonly reversible: boolean; readonly spans: readonly LineSpan[] };

/** The lines that differ between two versions. What was too large to keep cannot be measured, nor taken back. */
export async function measure(
  content: Pick<ContentStore, 'get'>,
  before: FileVersion | null,
  after: FileVersion | null,
): Promise<Measured> {
  if (isUnread(before)) return { binary: true, reversible: false, spans: [] };
  const [old, next] = await Promise.all([bytesOf(content, before), bytesOf(content, after)]);
  if (old === 'absent' || next === 'absent') return { binary: true, reversible: false, spans: [] };
  if (before?.content === after?.content) return { binary: isBinary(next), reversible: true, spans: [] };
  if (isBinary(old) || isBinary(next)) return { binary: true, reversible: true, spans: [] };
  return { binary: false, reversible: true, spans: diffLines(old, next) };
}

const NOTHING = new Uint8Array(0);

async function bytesOf(
  content: Pick<ContentStore, 'get'>,
  version: FileVersion | null,
): Promise<Uint8Array | 'absent'> {
  if (version === null) return NOTHING;
  const found = await content.get(version.content);
  return found.ok ? found.value : 'absent';
}
