import type { CallInput } from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import { keepJson, keptText } from '../content/kept-json.js';

export async function keepInput(input: unknown, content: ContentStore): Promise<CallInput | null> {
  const json = JSON.stringify(input);
  return json === undefined ? null : keepJson(json, content);
}

export async function readInput(input: CallInput, content: ContentStore): Promise<unknown> {
  const json = await keptText(input, content);
  return json === null ? null : JSON.parse(json);
}
