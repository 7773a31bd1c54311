import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import { type Outcome, ok } from '@palimpsest/core';
import { formatAlternates, withAlternates } from '../git/alternates.js';
import { type ParsedIndex, parseIndex } from '../git/index-file.js';
import { decodeName, encodeName } from '../git/names.js';
import type { ObjectId } from '../git/object-id.js';
import type { ObjectStore } from '../git/objects.js';
import type { Git, GitError } from '../git/run.js';
import { fieldsOf } from '../git/user-history.js';

/** A file of a tree; `row` is how git lists it. */
export type TreeFile = {
  readonly path: string;
  readonly mode: string;
  readonly id: ObjectId;
  readonly row: Buffer;
};
type Taken = { readonly index: ParsedIndex; readonly refused: readonly TreeFile[] };

/** Such a name could pass for git's own on another disk. */
const REFUSED = /(^|\/)\.git(\/|$)/i;
const REFUSED_LINK = /(^|\/)\.gitmodules$/i;

/** A large tree on a slow disk takes its time; a git that hangs must end all the same. */
const CHECKOUT_LIMIT_MS = 60 * 60 * 1000;

/**
 * A repository for the length of one checkout. It has our objects and an index of its own, and nothing of the user's
 * configuration. What we keep is the bytes as they are on disk, so its attributes switch every conversion off:
 * those in `info` outrank all that the tree brings along.
 */
export class ScratchRepository {
  readonly #git: Git;
  readonly #gitDir: string;

  private constructor(git: Git, gitDir: string) {
    this.#git = git;
    this.#gitDir = gitDir;
  }

  static async make(objects: ObjectStore, gitDir: string): Promise<ScratchRepository> {
    for (const folder of ['objects/info', 'refs', 'info']) await fs.mkdir(join(gitDir, folder), { recursive: true });
    const lenders = await withAlternates([join(objects.gitDir, 'objects')]);
    await Promise.all([
      fs.writeFile(join(gitDir, 'HEAD'), 'ref: refs/heads/none\n'),
      fs.writeFile(join(gitDir, 'config'), CONFIG),
      fs.writeFile(join(gitDir, 'info', 'attributes'), ATTRIBUTES),
      fs.writeFile(join(gitDir, 'objects', 'info', 'alternates'), formatAlternates(lenders)),
    ]);
    return new ScratchRepository(objects.git, gitDir);
  }

  /** What the tree holds. Names that git does not let into an index are told apart. */
  async take(tree: ObjectId): Promise<Outcome<Taken, GitError>> {
    const read = await this.#run(['read-tree', tree]);
    if (read.ok) return ok({ index: await this.#index(), refused: [] });
    const listed = await this.#run(['ls-tree', '-r', '-z', '--full-tree', tree]);
    if (!listed.ok) return read;
    const files = fieldsOf(listed.value).map(treeFile);
    const refused = files.filter(
      ({ path, mode }) => REFUSED.test(path) || (mode === '120000' && REFUSED_LINK.test(path)),
    );
    if (refused.length === 0) return read;
    const others = files.filter((file) => !refused.includes(file));
    const stdin = Buffer.concat(others.flatMap(({ row }) => [row, NUL]));
    const put = await this.#run(['update-index', '-z', '--index-info'], stdin);
    return put.ok ? ok({ index: await this.#index(), refused }) : put;
  }

  async leaveOut(paths: readonly string[]): Promise<Outcome<null, GitError>> {
    if (paths.length === 0) return ok(null);
    const stdin = Buffer.concat(paths.map((path) => Buffer.concat([encodeName(path), NUL])));
    const done = await this.#run(['update-index', '-z', '--force-remove', '--stdin'], stdin);
    return done.ok ? ok(null) : done;
  }

  /** Writes all files into a folder that has none of them, and answers the index with their stats. */
  async checkOut(folder: string): Promise<Outcome<ParsedIndex, GitError>> {
    const done = await this.#run([`--work-tree=${folder}`, 'checkout-index', '--all', '--index', '--quiet']);
    return done.ok ? ok(await this.#index()) : done;
  }

  #run(args: readonly string[], stdin?: Uint8Array) {
    const run = { gitDir: this.#gitDir, args, timeoutMs: CHECKOUT_LIMIT_MS };
    return this.#git.run(stdin === undefined ? run : { ...run, stdin });
  }

  async #index(): Promise<ParsedIndex> {
    const bytes = await fs.readFile(join(this.#gitDir, 'index')).catch(() => null);
    // Git writes no index for a tree without files.
    if (bytes === null) return { bytes: Buffer.alloc(0), entries: [], end: 0 };
    const parsed = parseIndex(bytes);
    if (!parsed.ok) throw new Error(`git wrote an index that cannot be read: ${JSON.stringify(parsed.error)}`);
    return parsed.value;
  }
}

function treeFile(row: Buffer): TreeFile {
  const tab = row.indexOf(0x09);
  const [mode = '', , id = ''] = row.toString('latin1', 0, tab).split(' ');
  return { path: decodeName(row.subarray(tab + 1)), mode, id, row };
}

/** In words, for whoever asked for the worktree. */
export function gitWords(error: GitError): string {
  switch (error.code) {
    case 'git-missing':
      return `git cannot be started: ${error.detail}`;
    case 'git-exit':
      return error.stderr.trim().split('\n').slice(-STDERR_LINES).join('\n') || `git ended with ${error.exitCode}`;
    case 'git-killed':
      return `git was ended (${error.why})`;
  }
}

export function outOfSpace(error: GitError): boolean {
  return error.code === 'git-exit' && /No space left on device|Disk quota exceeded/.test(error.stderr);
}

const STDERR_LINES = 5;
const NUL = Buffer.from([0]);
/** The names come from this kind of disk, so those that other systems cannot have are none of its business. */
const PROTECTION: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'protectHFS = true\n\tprotectNTFS = false',
  win32: 'protectHFS = false\n\tprotectNTFS = true',
};
const CONFIG = `[core]
\trepositoryformatversion = 0
\tbare = false
\t${PROTECTION[process.platform] ?? 'protectHFS = false\n\tprotectNTFS = false'}
`;
const ATTRIBUTES = '* -text !eol -ident !filter !working-tree-encoding\n';
