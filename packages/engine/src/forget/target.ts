import {
  type ContentId,
  failed,
  filesAnywhere,
  type Operation,
  type Outcome,
  ok,
  parseContentId,
  SHORTEST_SECRET,
  type WorkspacePath,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type { TreeReader } from '../checkpoint/tree-reader.js';
import type { ObjectId } from '../git/object-id.js';
import type { KnownTree } from '../store/known-tree.js';
import type { LiveLog } from '../store/live-log.js';
import type { Locator } from '../tree/locator.js';

/** All that a file ever held, or one content wherever it was (`what`); or a text wherever it stands. */
export type ForgetRequest = ({ readonly what: string } | { readonly text: string }) & { readonly dryRun?: boolean };

export type Target =
  | { readonly kind: 'contents'; readonly contents: ReadonlySet<ContentId>; readonly path: WorkspacePath | null }
  | { readonly kind: 'text'; readonly text: string };

export type TargetParts = {
  readonly root: string;
  readonly live: LiveLog;
  readonly known: KnownTree;
  readonly locate: Locator;
};

export async function targetOf(
  request: ForgetRequest,
  reader: TreeReader,
  parts: TargetParts,
): Promise<Outcome<Target, Refusal>> {
  if ('text' in request) {
    const text = request.text.replace(/^[\r\n]+|[\r\n]+$/g, '');
    if (text.trim().length >= SHORTEST_SECRET) return ok({ kind: 'text', text });
    return failed({ code: 'bad-input', why: `a text of fewer than ${SHORTEST_SECRET} characters is everywhere` });
  }
  const id = parseContentId(request.what);
  if (id.ok) return ok({ kind: 'contents', contents: new Set([id.value]), path: null });
  const path = parts.locate(request.what, parts.root);
  if (!path.ok) return path;
  const contents = await contentsAt(path.value, reader, parts);
  return contents.size === 0
    ? failed({ code: 'no-such-file', path: path.value })
    : ok({ kind: 'contents', contents, path: path.value });
}

async function contentsAt(
  path: WorkspacePath,
  reader: TreeReader,
  { live, known }: TargetParts,
): Promise<Set<ContentId>> {
  const contents = new Set<ContentId>();
  const present = known.get(path);
  if (present !== null) contents.add(present.content);
  for (const operation of live.log.find({ path })) addContents(operation, path, contents);
  const seen = new Map<ObjectId, ContentId | null>();
  for (const { tree } of live.views.checkpoints.saved.values()) {
    const id = seen.get(tree) ?? (await reader.leafAt(tree, path));
    seen.set(tree, id);
    if (id !== null) contents.add(id);
  }
  return contents;
}

function addContents(operation: Operation, path: WorkspacePath, contents: Set<ContentId>): void {
  for (const file of filesAnywhere(operation)) {
    if (file.path !== path && file.fromPath !== path) continue;
    if (file.before !== null) contents.add(file.before.content);
    if (file.after !== null) contents.add(file.after.content);
  }
  if (operation.kind === 'shown')
    for (const file of operation.files) if (file.path === path) contents.add(file.content);
}
