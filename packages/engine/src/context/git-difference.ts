import {
  type ContentId,
  countLines,
  diffLines,
  type FileMode,
  formatUnified,
  type GitFact,
  type GitPart,
  isBinary,
  type Outcome,
  ok,
  trustPath,
  type WorkspacePath,
} from '@palimpsest/core';
import type { Ignored } from '../checkpoint/ignored-now.js';
import type { ContentStore } from '../content/content.js';
import { readIndexFile } from '../git/index-file.js';
import type { Git, GitError } from '../git/run.js';
import { type RawChange, UserHistory } from '../git/user-history.js';
import { indexPath, type UserRepository } from '../git/user-repository.js';
import type { KnownTree } from '../store/known-tree.js';
import { isUnread } from '../store/unread.js';

export type GitDifferenceParts = {
  readonly git: Git;
  readonly repository: UserRepository;
  readonly head: string | null;
  readonly known: KnownTree;
  readonly content: Pick<ContentStore, 'get'>;
  readonly ignored: () => Promise<Ignored>;
};

/** Files of which the lines are told; a diff of more is no context for anybody. */
const FILES_LIMIT = 60;
const FILE_BYTES_LIMIT = 512 * 1024;

type Difference = { readonly path: WorkspacePath; readonly before: Blob | null; readonly after: Blob | null };
type Blob = { readonly content: string; readonly mode: string };

/**
 * What the user's repository has as changed: what is staged, by git's account, and what of the files is not, by the index and
 * what we know of them. Git runs sealed, and writes nothing.
 */
export async function gitDifference(parts: GitDifferenceParts): Promise<Outcome<GitFact, GitError>> {
  const history = new UserHistory(parts.git, parts.repository);
  const staged = await history.staged(parts.head);
  if (!staged.ok) return staged;
  return ok({
    staged: await partOf(parts, history, below(parts.repository.prefix, staged.value)),
    unstaged: await partOf(parts, history, await unstaged(parts)),
  });
}

function below(prefix: string, changes: readonly RawChange[]): readonly Difference[] {
  const start = prefix === '' ? '' : `${prefix}/`;
  return changes
    .filter(({ path }) => path.startsWith(start))
    .map(({ path, before, after }) => ({ path: trustPath(path.slice(start.length)), before, after }));
}

/** What git tracks and holds other bytes now or is gone, and what it neither tracks nor ignores. */
async function unstaged({ repository, known, ignored }: GitDifferenceParts): Promise<readonly Difference[]> {
  const index = await readIndexFile(indexPath(repository));
  if (!index.ok) return [];
  const start = repository.prefix === '' ? '' : `${repository.prefix}/`;
  const tracked = new Set<WorkspacePath>();
  const differences: Difference[] = [];
  for (const { path: name, mode, oid, stage, size, mtimeMs, skipWorktree } of index.value.entries) {
    if (!name.startsWith(start) || mode === SUBMODULE) continue;
    const path = trustPath(name.slice(start.length));
    tracked.add(path);
    const now = known.get(path);
    if (stage !== 0 || skipWorktree || now?.content === oid) continue;
    // Equal by stat is equal to git, also where it converts line endings on the way.
    if (now !== null && (isUnread(now) || (now.mtimeMs === mtimeMs && now.size % 2 ** 32 === size))) continue;
    differences.push({ path, before: { content: oid, mode }, after: now });
  }
  const left = [...known.states()].filter(({ path }) => !tracked.has(path));
  const ignores = left.length === 0 ? null : await ignored();
  for (const state of left) {
    if (!isUnread(state) && ignores?.file(state.path) === false)
      differences.push({ path: state.path, before: null, after: state });
  }
  return differences.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const SUBMODULE = '160000';

async function partOf(
  { content }: GitDifferenceParts,
  history: UserHistory,
  differences: readonly Difference[],
): Promise<GitPart> {
  const files: GitPart['files'][number][] = [];
  const diffs: string[] = [];
  for (const { path, before, after } of differences.slice(0, FILES_LIMIT)) {
    const [old, next] = [await bytesOf(before, content, history), await bytesOf(after, content, history)];
    const isText = [old, next].every(
      (bytes) => bytes !== null && bytes.byteLength <= FILE_BYTES_LIMIT && !isBinary(bytes),
    );
    const { added, removed } = isText ? countLines(diffLines(old!, next!)) : { added: 0, removed: 0 };
    files.push({ path, added, removed });
    if (isText) diffs.push(decoder.decode(formatUnified(side(path, before, old!), side(path, after, next!))));
    else diffs.push(`${path}: its bytes differ\n`);
  }
  for (const { path } of differences.slice(FILES_LIMIT)) files.push({ path, added: 0, removed: 0 });
  return { files, diff: diffs.join('') };
}

const decoder = new TextDecoder();
const NO_BYTES = new Uint8Array(0);

function side(path: WorkspacePath, blob: Blob | null, bytes: Uint8Array) {
  return blob === null ? null : { path, bytes, mode: blob.mode as FileMode };
}

async function bytesOf(
  blob: Blob | null,
  content: Pick<ContentStore, 'get'>,
  history: UserHistory,
): Promise<Uint8Array | null> {
  if (blob === null) return NO_BYTES;
  const ours = await content.get(blob.content as ContentId);
  return ours.ok ? ours.value : history.bytesOf(blob.content);
}
