import {
  type CallBegan,
  type ContentId,
  callKey,
  callsOf,
  type Operation,
  type Secrets,
  type Seq,
  type TranscriptPiece,
  type TranscriptRead,
  type WorkspacePath,
  withoutTexts,
  withTexts,
} from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import { hashObject, type ObjectId } from '../git/object-id.js';
import type { ObjectStore } from '../git/objects.js';
import { encodeCommit, parseCommit } from '../git/trees.js';
import type { Log } from '../log/log.js';
import type { Findings } from './findings.js';

/** What becomes of the log, and of what it refers to. Nothing has been touched yet. */
export type Redaction = {
  /** To take the place of those with the same seq. */
  readonly operations: readonly Operation[];
  /** Long messages without what they quoted: they must be in the store before the operations name them. */
  readonly texts: readonly Uint8Array[];
  /** How many of them are calls whose input goes, or loses something. */
  readonly calls: number;
  /** Inputs that stand in the store. */
  readonly inputs: readonly ContentId[];
  /** By the id of a checkpoint's commit whose message quotes: the same commit without the quote. */
  readonly commits: ReadonlyMap<ObjectId, Uint8Array>;
};

type RedactionParts = { readonly log: Log; readonly content: ContentStore; readonly objects: ObjectStore };

const OPERATIONS_AT_ONCE = 2_000;

export async function planRedaction(
  { contents, secrets }: Findings,
  path: WorkspacePath | null,
  parts: RedactionParts,
): Promise<Redaction> {
  const { log, content, objects } = parts;
  const makers = makersOf(contents, log);
  const wrote = (call: CallBegan) =>
    makers.has(callKey(call.session, call.call)) || (path !== null && call.names.includes(path));
  const operations: Operation[] = [];
  const inputs = new Set<ContentId>();
  const texts: Uint8Array[] = [];
  const commits = new Map<ObjectId, Uint8Array | null>();
  let calls = 0;
  /** A long text of a conversation: the same id, that of the text without what it quoted, or null when nothing is left. */
  const cleaned = async (id: ContentId): Promise<ContentId | null> => {
    const clean = await textWithout(id, { contents, secrets }, content);
    if (clean === 'same') return id;
    inputs.add(id);
    if (clean === null) return null;
    texts.push(clean);
    return content.idOf(clean);
  };
  for (const operation of everyOperation(log)) {
    let next = withTexts(operation, (text) => secrets.without(text));
    if (next.kind === 'call-began' && next.input !== null) {
      const { input } = next;
      const quotes = 'content' in input && (await inputQuotes(input.content, { contents, secrets }, content));
      if (wrote(next) || quotes) next = { ...next, input: null };
      if (next.input === null && 'content' in input) inputs.add(input.content);
    }
    if (next.kind === 'message-added' && next.body !== null && 'content' in next.body) {
      const told = await cleaned(next.body.content);
      if (told !== next.body.content) next = { ...next, body: told === null ? null : { content: told } };
    }
    if (next.kind === 'task-imported') {
      const told = await Promise.all(next.taken.map(async (file) => ({ file, clean: await cleaned(file.content) })));
      if (told.some(({ file, clean }) => clean !== file.content)) {
        const taken = told.flatMap(({ file, clean }) => (clean === null ? [] : [{ ...file, content: clean }]));
        next = { ...next, taken };
      }
    }
    if (next.kind === 'transcript-read') next = await withCleanPieces(next, cleaned);
    if (next.kind === 'checkpoint-saved') {
      const { commit } = next;
      if (!commits.has(commit)) commits.set(commit, await commitWithout(commit, secrets, objects));
      const replaced = commits.get(commit) ?? null;
      if (replaced !== null) next = { ...next, commit: hashObject('commit', replaced) };
    }
    if (next === operation) continue;
    operations.push(next);
    if (next.kind === 'call-began') calls += 1;
  }
  const replaced = [...commits].flatMap(([id, bytes]) => (bytes === null ? [] : [[id, bytes] as const]));
  return { operations, texts, calls, inputs: [...inputs], commits: new Map(replaced) };
}

function* everyOperation(log: Log): Generator<Operation> {
  let since: Seq | 0 = 0;
  for (;;) {
    const some: readonly Operation[] = log.read(since, OPERATIONS_AT_ONCE);
    yield* some;
    if (some.length < OPERATIONS_AT_ONCE) return;
    since = some.at(-1)!.seq;
  }
}

/** Calls that made or replaced such a content: what they were to write stands in their input, in whatever form. */
function makersOf(contents: ReadonlySet<ContentId>, log: Log): ReadonlySet<string> {
  const makers = new Set<string>();
  for (const operation of log.find({ kinds: ['changed', 'attributed'] })) {
    if (operation.kind !== 'changed' && operation.kind !== 'attributed') continue;
    const { author } = operation;
    const files = operation.kind === 'changed' ? operation.files : operation.changes.map(({ file }) => file);
    const holds = files.some(
      ({ before, after }) => contents.has(before?.content as ContentId) || contents.has(after?.content as ContentId),
    );
    if (!holds) continue;
    for (const { session, call } of callsOf(author)) makers.add(callKey(session, call));
  }
  return makers;
}

async function inputQuotes(
  id: ContentId,
  { contents, secrets }: Pick<Findings, 'contents' | 'secrets'>,
  content: ContentStore,
): Promise<boolean> {
  if (contents.has(id)) return true;
  const found = await content.get(id);
  return found.ok && secrets.isIn(Buffer.from(found.value).toString('utf8'));
}

/** What stands in the store because it is too long for the log, and quotes what it is about. */
export function longTextsOf(operation: Operation): readonly ContentId[] {
  if (operation.kind === 'task-imported') return operation.taken.map(({ content }) => content);
  if (operation.kind === 'transcript-read')
    return (operation.kept ?? []).flatMap(({ content }) => (content === null ? [] : [content]));
  const kept = operation.kind === 'call-began' ? operation.input : null;
  const said = operation.kind === 'message-added' ? operation.body : kept;
  return said !== null && 'content' in said ? [said.content] : [];
}

/** The same reading where none of what it kept has to change. */
async function withCleanPieces<Read extends TranscriptRead>(
  read: Read,
  cleaned: (id: ContentId) => Promise<ContentId | null>,
): Promise<Read> {
  const { kept = [] } = read;
  const clean: TranscriptPiece[] = [];
  for (const piece of kept)
    clean.push(piece.content === null ? piece : { ...piece, content: await cleaned(piece.content) });
  return clean.some(({ content }, index) => content !== kept[index]!.content) ? { ...read, kept: clean } : read;
}

/** What is left of a text; JSON stays JSON. Null when nothing can be left of it. */
async function textWithout(
  id: ContentId,
  { contents, secrets }: Pick<Findings, 'contents' | 'secrets'>,
  content: ContentStore,
): Promise<Uint8Array | 'same' | null> {
  const found = await content.get(id);
  if (!found.ok) return 'same';
  if (contents.has(id)) return null;
  const text = Buffer.from(found.value).toString('utf8');
  const without = (part: string) => secrets.without(part);
  const clean = isJson(text) ? withoutTexts({ json: text }, without) : { json: without(text) };
  if (clean === null) return null;
  return 'json' in clean && clean.json !== text ? new TextEncoder().encode(clean.json) : 'same';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Null when it has nothing to hide. */
async function commitWithout(id: ObjectId, secrets: Secrets, objects: ObjectStore): Promise<Uint8Array | null> {
  const read = await objects.read(id);
  if (!read.ok || read.value?.type !== 'commit') return null;
  const commit = parseCommit(read.value.bytes);
  if (!commit.ok) return null;
  const message = secrets.without(commit.value.message);
  return message === commit.value.message ? null : encodeCommit({ ...commit.value, message });
}
