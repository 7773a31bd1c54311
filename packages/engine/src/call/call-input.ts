import type { CallInput } from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';

/** Inputs up to this length stand in the log itself, which saves writing and syncing an object for each call. */
const INPUT_IN_PLACE_CHARS = 16 * 1024;

export async function keepInput(input: unknown, content: ContentStore): Promise<CallInput | null> {
  const json = JSON.stringify(input);
  if (json === undefined) return null;
  return json.length <= INPUT_IN_PLACE_CHARS
    ? { json }
    : { content: await content.put(new TextEncoder().encode(json)) };
}

export async function readInput(input: CallInput, content: ContentStore): Promise<unknown> {
  if ('json' in input) return JSON.parse(input.json);
  const found = await content.get(input.content);
  return found.ok ? JSON.parse(new TextDecoder().decode(found.value)) : null;
}
