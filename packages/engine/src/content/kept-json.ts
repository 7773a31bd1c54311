import type { KeptJson } from '@palimpsest/core';
import type { ContentStore } from './content.js';

/** Texts up to this length stand in the log itself, which saves writing and syncing an object for each. */
const IN_PLACE_CHARS = 16 * 1024;

/** The text is JSON. What it refers to is in the store when this resolves. */
export async function keepJson(json: string, content: Pick<ContentStore, 'put'>): Promise<KeptJson> {
  return json.length <= IN_PLACE_CHARS ? { json } : { content: await content.put(new TextEncoder().encode(json)) };
}

/** Exactly what was kept; null when the bytes are gone. */
export async function keptText(kept: KeptJson, content: Pick<ContentStore, 'get'>): Promise<string | null> {
  if ('json' in kept) return kept.json;
  const found = await content.get(kept.content);
  return found.ok ? new TextDecoder().decode(found.value) : null;
}
