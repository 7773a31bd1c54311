import {
  type CallBegan,
  type ContentId,
  callKey,
  callsOf,
  type Operation,
  type Secrets,
  type Seq,
  type WorkspacePath,
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
  const commits = new Map<ObjectId, Uint8Array | null>();
  let calls = 0;
  for (const operation of everyOperation(log)) {
    let next = withTexts(operation, (text) => secrets.without(text));
    if (next.kind === 'call-began' && next.input !== null) {
      const { input } = next;
      const quotes = 'content' in input && (await inputQuotes(input.content, { contents, secrets }, content));
      if (wrote(next) || quotes) next = { ...next, input: null };
      if (next.input === null && 'content' in input) inputs.add(input.content);
    }
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
  return { operations, calls, inputs: [...inputs], commits: new Map(replaced) };
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

/** Null when it has nothing to hide. */
async function commitWithout(id: ObjectId, secrets: Secrets, objects: ObjectStore): Promise<Uint8Array | null> {
  const read = await objects.read(id);
  if (!read.ok || read.value?.type !== 'commit') return null;
  const commit = parseCommit(read.value.bytes);
  if (!commit.ok) return null;
  const message = secrets.without(commit.value.message);
  return message === commit.value.message ? null : encodeCommit({ ...commit.value, message });
}
