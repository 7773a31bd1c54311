import type { Client } from '@palimpsest/protocol';
import { type FileText, fileText, NO_TEXT } from '../diff/file-text.js';
import { highlight } from '../diff/highlighter.js';
import type { Colours } from '../diff/pieces.js';
import { answer } from './page-client.js';

export type ShownText = FileText & { readonly colours: readonly Colours[] };
const EMPTY: ShownText = { ...NO_TEXT, colours: [] };

/** Texts by content id, which never change. Only so much is kept: whoever scrolls back asks again. */
const MOST_CHARACTERS = 30_000_000;
const kept = new Map<string, Promise<ShownText>>();
const sizes = new Map<string, number>();

/** What a version of a file holds; nothing where there was no file. */
export function shownText(client: Client, content: string | null, path: string): Promise<ShownText> {
  if (content === null) return Promise.resolve(EMPTY);
  const key = `${content} ${path}`;
  const found = kept.get(key) ?? load(client, content, path, key);
  // The last in a map is what was used last.
  kept.delete(key);
  kept.set(key, found);
  return found;
}

async function load(client: Client, content: string, path: string, key: string): Promise<ShownText> {
  try {
    const bytes = await answer(client.getContent({ params: { content } }));
    const text = fileText(bytes);
    sizes.set(key, bytes.length);
    letGo();
    return { ...text, colours: await highlight(path, text.lines) };
  } catch (error) {
    kept.delete(key);
    throw error;
  }
}

function letGo(): void {
  let sum = [...sizes.values()].reduce((total, size) => total + size, 0);
  for (const key of kept.keys()) {
    if (sum <= MOST_CHARACTERS) return;
    sum -= sizes.get(key) ?? 0;
    kept.delete(key);
    sizes.delete(key);
  }
}
