import {
  type ApartFile,
  BYTES_DIFFER,
  type FileVersion,
  isBinary,
  type Located,
  mergeTexts,
  planFlow,
  TEXTS_DIFFER,
} from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';

/** What a file comes to, with bytes that may not be stored yet; or why the two sides are in conflict. */
export type CameTo =
  | { readonly kind: 'file'; readonly file: Located | null; readonly bytes: Uint8Array | null }
  | { readonly kind: 'conflict'; readonly reason: string };

const NOT_KEPT = 'it is too large to keep, or its bytes are gone';

/** What both sides of a file come to. */
export async function cameTo(apart: ApartFile, content: ContentStore): Promise<CameTo> {
  const plan = planFlow(apart);
  if (plan.kind === 'conflict') return plan;
  if (plan.kind === 'as') {
    const version = plan.file?.version;
    if (version !== undefined && !(await content.has(version.content))) return { kind: 'conflict', reason: NOT_KEPT };
    return { kind: 'file', file: plan.file, bytes: null };
  }
  const [base, ours, theirs] = await Promise.all([plan.base, plan.ours, plan.theirs].map((side) => bytesOf(side)));
  if (base == null || ours == null || theirs == null) return { kind: 'conflict', reason: NOT_KEPT };
  const merged = mergeTexts(base, ours, theirs);
  if (merged === null)
    return { kind: 'conflict', reason: [base, ours, theirs].some(isBinary) ? BYTES_DIFFER : TEXTS_DIFFER };
  const version = { content: content.idOf(merged), mode: plan.mode, size: merged.length };
  return { kind: 'file', file: { path: plan.path, version }, bytes: merged };

  async function bytesOf({ content: id }: FileVersion): Promise<Uint8Array | null> {
    const found = await content.get(id);
    return found.ok ? found.value : null;
  }
}
