import { type ContentId, commonQuotes, formsOf, looksLikeKey, quotesOf, Secrets } from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import type { ObjectId } from '../git/object-id.js';
import { inBase64 } from './base64.js';
import type { Target } from './target.js';

/** What else there is to look through. */
type Kept = {
  /** Everything that something needs. */
  readonly needed: Iterable<ObjectId>;
  /** Long inputs of calls, and what agents wrote down: they quote, and are not what is quoted. */
  readonly inputs: ReadonlySet<ObjectId>;
  /** Where an object was met. */
  readonly names: ReadonlyMap<ObjectId, string>;
};

export type Findings = {
  readonly contents: ReadonlySet<ContentId>;
  /** Whether a file that we have no copy of holds it. */
  readonly isIn: (bytes: Buffer) => boolean;
  /** The texts that may be quoted from them, and that stand in nothing that is kept. */
  readonly secrets: Secrets;
  /** Files, or contents, that are kept and hold something of them that looks like a key. */
  readonly alsoIn: readonly string[];
};

/** What is to go: which contents, and which texts, wherever they are quoted. */
export function findingsOf(target: Target, kept: Kept, content: ContentStore): Promise<Findings> {
  return target.kind === 'text' ? holdersOf(target.text, kept, content) : quotedFrom(target.contents, kept, content);
}

/**
 * A line or a word of the forgotten contents is a quote of them wherever it stands, unless it stands in a content that is
 * kept too: a closing brace is nobody's secret.
 */
async function quotedFrom(
  contents: ReadonlySet<ContentId>,
  { needed, inputs, names }: Kept,
  content: ContentStore,
): Promise<Findings> {
  const texts: string[] = [];
  for (const id of contents) texts.push(textOf(await bytesOf(id, content)));
  const quotes = quotesOf(texts);
  const common = { lines: new Set<string>(), words: new Set<string>() };
  const alsoIn = new Set<string>();
  for (const id of quotes.lines.size + quotes.words.size === 0 ? [] : needed) {
    if (contents.has(id as ContentId) || inputs.has(id)) continue;
    const shared = commonQuotes(quotes, textOf(await bytesOf(id as ContentId, content)));
    for (const line of shared.lines) common.lines.add(line);
    for (const word of shared.words) common.words.add(word);
    if ([...shared.words].some(looksLikeKey)) alsoIn.add(names.get(id) ?? id);
  }
  const lines = [...quotes.lines].filter((line) => !common.lines.has(line));
  const words = [...quotes.words].filter((word) => !common.words.has(word));
  const secrets = new Secrets([...lines, ...words, ...words.flatMap(inBase64)]);
  return { contents, isIn: () => false, secrets, alsoIn: [...alsoIn].sort() };
}

async function holdersOf(text: string, { needed, inputs }: Kept, content: ContentStore): Promise<Findings> {
  const forms = [...formsOf(text), ...inBase64(text)].map((form) => Buffer.from(form, 'utf8'));
  const isIn = (bytes: Buffer) => forms.some((form) => bytes.includes(form));
  const contents = new Set<ContentId>();
  for (const id of needed) {
    if (inputs.has(id)) continue;
    if (isIn(await bytesOf(id as ContentId, content))) contents.add(id as ContentId);
  }
  // Quoted in a diff, each of its lines has something before it.
  const { lines, words } = quotesOf(text.includes('\n') ? [text] : []);
  const secrets = new Secrets([text, ...inBase64(text), ...lines, ...words, ...[...words].flatMap(inBase64)]);
  return { contents, isIn, secrets, alsoIn: [] };
}

/** Nothing where there is no such content any more, or it is a tree or a commit. */
async function bytesOf(id: ContentId, content: ContentStore): Promise<Buffer> {
  const found = await content.get(id);
  return found.ok ? Buffer.from(found.value.buffer, found.value.byteOffset, found.value.byteLength) : Buffer.alloc(0);
}

/** Nobody quotes lines of what is not text. */
function textOf(bytes: Buffer): string {
  return bytes.includes(0) ? '' : bytes.toString('utf8');
}
