import { promises as fs } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { failed, type Outcome, ok } from '@palimpsest/core';
import { withAlternates } from './alternates.js';
import { readBounded, SMALL_FILE_LIMIT_BYTES, withoutLineEnds } from './bounded-read.js';

/*
 * What we read of the user's repository. Files only, never the git program: their configuration, hooks and filters
 * have no part in it, and nothing is written, not even a refreshed index.
 */

export type UserRepository = {
  /** The folder that holds `.git`. */
  readonly topLevel: string;
  /** From the top level to the folder asked about; empty when they are the same. */
  readonly prefix: string;
  /** Belongs to this working tree: HEAD, index, operations in progress. */
  readonly gitDir: string;
  /** Shared by all linked worktrees: objects, branches, config. The same as `gitDir` without any. */
  readonly commonDir: string;
  readonly objectFormat: 'sha1' | 'sha256' | 'unknown';
  readonly refFormat: 'files' | 'reftable' | 'unknown';
};

type RepositoryError = { readonly code: 'unreadable'; readonly path: string; readonly detail: string };

const CONFIG_LIMIT_BYTES = 4 * 1024 * 1024;
const PARENT_LIMIT = 64;

/** The repository that a folder belongs to, looking upwards; null when there is none. */
export async function findRepository(folder: string): Promise<Outcome<UserRepository | null, RepositoryError>> {
  const from = await fs.realpath(folder);
  let topLevel = from;
  for (let n = 0; n < PARENT_LIMIT; n++) {
    const gitDir = await gitDirAt(topLevel);
    if (!gitDir.ok) return gitDir;
    if (gitDir.value !== null) return ok(await describe(topLevel, from, gitDir.value));
    const parent = dirname(topLevel);
    if (parent === topLevel) return ok(null);
    topLevel = parent;
  }
  return ok(null);
}

/** Where its objects are, and what those places borrow from. */
export async function objectDirectories(repository: UserRepository): Promise<readonly string[]> {
  return withAlternates([join(repository.commonDir, 'objects')]);
}

export function indexPath(repository: UserRepository): string {
  return join(repository.gitDir, 'index');
}

async function gitDirAt(folder: string): Promise<Outcome<string | null, RepositoryError>> {
  const path = join(folder, '.git');
  const stat = await fs.stat(path).catch(() => null);
  if (stat === null) return ok(null);
  // An empty folder of that name, or one that is something else, does not make a repository.
  if (stat.isDirectory()) return ok((await exists(join(path, 'HEAD'))) ? path : null);
  const text = await readText(path);
  const target = text?.match(/^gitdir: (.+)$/s)?.[1];
  if (target === undefined)
    return failed({ code: 'unreadable', path, detail: 'not a repository, and not a link to one' });
  const gitDir = resolve(folder, target);
  if (!(await exists(join(gitDir, 'HEAD'))))
    return failed({ code: 'unreadable', path, detail: `nothing at ${gitDir}` });
  return ok(gitDir);
}

async function describe(topLevel: string, from: string, gitDir: string): Promise<UserRepository> {
  const common = await readText(join(gitDir, 'commondir'));
  const commonDir = common === null || common === '' ? gitDir : resolve(gitDir, common);
  const config = await readBounded(join(commonDir, 'config'), CONFIG_LIMIT_BYTES);
  const extensions = config.kind === 'read' ? extensionsOf(config.bytes.toString('utf8')) : new Map<string, string>();
  return {
    topLevel,
    prefix: relative(topLevel, from).split(sep).join('/'),
    gitDir,
    commonDir,
    objectFormat: oneOf(extensions.get('objectformat'), 'sha1', 'sha256'),
    refFormat: oneOf(extensions.get('refstorage'), 'files', 'reftable'),
  };
}

/** Only the `[extensions]` section, and no includes: git itself reads these two from nowhere else. */
function extensionsOf(config: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let section = '';
  for (const line of config.split(/\r?\n/)) {
    const header = line.match(/^\s*\[([^\]"]*)(?:"[^"]*")?\]/);
    if (header !== null) section = (header[1] ?? '').trim().toLowerCase();
    const setting = line.replace(/^\s*\[[^\]]*\]/, '').match(/^\s*([A-Za-z][\w-]*)\s*=\s*"?([^"#;]*)/);
    if (section === 'extensions' && setting !== null)
      found.set((setting[1] ?? '').toLowerCase(), (setting[2] ?? '').trim().toLowerCase());
  }
  return found;
}

function oneOf<A extends string, B extends string>(value: string | undefined, usual: A, other: B): A | B | 'unknown' {
  if (value === undefined || value === usual) return usual;
  return value === other ? other : 'unknown';
}

async function readText(path: string): Promise<string | null> {
  const file = await readBounded(path, SMALL_FILE_LIMIT_BYTES);
  return file.kind === 'read' ? withoutLineEnds(file.bytes.toString('utf8')) : null;
}

async function exists(path: string): Promise<boolean> {
  return (await fs.lstat(path).catch(() => null)) !== null;
}
