import { type Outcome, ok } from '@palimpsest/core';
import { decodeName, encodeName } from './names.js';
import type { Git, GitError } from './run.js';
import type { UserRepository } from './user-repository.js';

/*
 * What the user's repository says of commits and of what is staged. The one place beside `review/committed.ts` where git
 * itself reads there: sealed, so that nothing of the user's configuration runs, and with commands that write nothing, not
 * even a refreshed index.
 */

export type CommitFacts = {
  readonly commit: string;
  /** The first parent; null of a commit without any. */
  readonly parent: string | null;
  /** `Name <mail>`. */
  readonly author: string;
};

/** What happened to one file, by git's own account; names are from the top of the repository. */
export type RawChange = {
  readonly path: string;
  readonly fromPath?: string;
  readonly before: Blob | null;
  readonly after: Blob | null;
};
export type Blob = { readonly content: string; readonly mode: string };

/** Each costs some runs of git. */
export const COMMITS_LIMIT = 1_000;
/** The id of a tree without entries: what the first commit is compared with. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const SUBMODULE = '160000';

export class UserHistory {
  readonly #git: Git;
  readonly #repository: UserRepository;

  constructor(git: Git, repository: UserRepository) {
    this.#git = git;
    this.#repository = repository;
  }

  /** Oldest first, and one beyond the limit where there are more. A range is `A..B`; anything else is one commit. */
  async commits(range: string): Promise<Outcome<readonly CommitFacts[], GitError>> {
    const walk = range.includes('..') ? [`--max-count=${COMMITS_LIMIT + 1}`] : ['--no-walk'];
    const format = '--format=%H%x00%P%x00%an <%ae>';
    const listed = await this.#run(['rev-list', '--reverse', ...walk, format, '--end-of-options', range, '--']);
    if (!listed.ok) return listed;
    const lines = listed.value.toString('utf8').split('\n');
    return ok(
      lines.flatMap((line): readonly CommitFacts[] => {
        const [commit, parents, author] = line.split('\0');
        if (parents === undefined || author === undefined) return [];
        return [{ commit: commit!, parent: parents.split(' ')[0] || null, author }];
      }),
    );
  }

  /** Against its parent; of a merge nothing, because what it brings was brought by others. */
  changesOf(commit: string): Promise<Outcome<readonly RawChange[], GitError>> {
    return this.#changes(['diff-tree', '--root', '--no-commit-id', ...RAW, commit]);
  }

  staged(head: string | null): Promise<Outcome<readonly RawChange[], GitError>> {
    return this.#changes(['diff-index', '--cached', ...RAW, head ?? EMPTY_TREE]);
  }

  async filesOf(commit: string): Promise<Outcome<ReadonlyMap<string, Blob>, GitError>> {
    const listed = await this.#run(['ls-tree', '-r', '-z', '--full-tree', commit]);
    if (!listed.ok) return listed;
    const files = fieldsOf(listed.value).flatMap((field): readonly [string, Blob][] => {
      const tab = field.indexOf(0x09);
      const [mode, type, content] = field.toString('latin1', 0, tab).split(' ');
      return type === 'blob' ? [[decodeName(field.subarray(tab + 1)), { mode: mode!, content: content! }]] : [];
    });
    return ok(new Map(files));
  }

  /** What a commit has at a name; null for no file. */
  async blobAt(commit: string, path: string): Promise<Blob | null> {
    const name = encodeName(path).toString('utf8');
    const listed = await this.#run(['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', commit, '--', name]);
    const [mode, , content] = listed.ok ? listed.value.toString('latin1').split(/[ \t]/) : [];
    return mode === undefined || content === undefined ? null : { mode, content };
  }

  async bytesOf(content: string): Promise<Uint8Array | null> {
    const found = await this.#run(['cat-file', 'blob', content]);
    return found.ok ? found.value : null;
  }

  async #changes(args: readonly string[]): Promise<Outcome<readonly RawChange[], GitError>> {
    const listed = await this.#run(args);
    return listed.ok ? ok(parseRaw(fieldsOf(listed.value))) : listed;
  }

  #run(args: readonly string[]) {
    return this.#git.run({ gitDir: this.#repository.gitDir, args });
  }
}

const RAW = ['-r', '-z', '-M', '--raw', '--no-abbrev', '--no-ext-diff', '--no-textconv', '--ignore-submodules'];

/** `:<old mode> <new mode> <old id> <new id> <letter>`, then one name, or two of a rename. */
function parseRaw(fields: readonly Buffer[]): readonly RawChange[] {
  const changes: RawChange[] = [];
  for (let at = 0; at + 1 < fields.length; ) {
    const [oldMode, newMode, before, after, letter] = fields[at]!.toString('latin1').slice(1).split(' ');
    const isRename = letter!.startsWith('R');
    const names = fields.slice(at + 1, at + (isRename ? 3 : 2)).map(decodeName);
    at += 1 + names.length;
    if (oldMode === SUBMODULE || newMode === SUBMODULE) continue;
    changes.push({
      path: names.at(-1)!,
      ...(isRename ? { fromPath: names[0]! } : {}),
      before: letter === 'A' ? null : { mode: oldMode!, content: before! },
      after: letter === 'D' ? null : { mode: newMode!, content: after! },
    });
  }
  return changes;
}

/** What git separates by NUL with `-z`. */
export function fieldsOf(bytes: Buffer): readonly Buffer[] {
  const fields: Buffer[] = [];
  for (let at = 0, end = bytes.indexOf(0); end >= 0; at = end + 1, end = bytes.indexOf(0, at))
    fields.push(bytes.subarray(at, end));
  return fields;
}
