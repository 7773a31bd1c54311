import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { failed, type Outcome, ok } from '@palimpsest/core';
import type { Git, GitError } from './run.js';
import type { UserRepository } from './user-repository.js';

/*
 * The one exception to I6: notes, in a ref of their own that nothing else of the user's uses, and only when a person asks
 * for them by name. Commits, branches, index and files stay as they are; git's own lock guards the ref.
 */

export type Note = { readonly commit: string; readonly text: string };

/** A note is a commit in its ref, and a commit has an author. */
const AUTHOR = ['-c', 'user.name=Palimpsest', '-c', 'user.email=palimpsest@localhost'];

export class UserNotes {
  readonly #git: Git;
  readonly #repository: UserRepository;
  readonly #ref: string;

  constructor(git: Git, repository: UserRepository, ref: string) {
    this.#git = git;
    this.#repository = repository;
    this.#ref = ref;
  }

  /** The commits that have a note. */
  async commits(): Promise<Outcome<ReadonlySet<string>, GitError>> {
    const listed = await this.#run(['list']);
    return listed.ok ? ok(new Set(listed.value.toString('latin1').match(/(?<= )[0-9a-f]{40,}$/gm) ?? [])) : listed;
  }

  /** Git follows a symbolic ref to a branch, and a link in place of the ref, its reflog or a folder of theirs to anywhere. */
  async isLedElsewhere(): Promise<boolean> {
    const { commonDir } = this.#repository;
    const parts = this.#ref.split('/');
    const ways = [parts, ['logs', ...parts]].flatMap((way) => way.map((_, index) => way.slice(0, index + 1)));
    for (const way of ways) {
      const stat = await lstat(join(commonDir, ...way)).catch(() => null);
      if (stat?.isSymbolicLink() === true) return true;
    }
    return (await this.#git.run({ gitDir: commonDir, args: ['symbolic-ref', '-q', this.#ref] })).ok;
  }

  /** Refuses where there is a note already, rather than write over it. */
  async add({ commit, text }: Note): Promise<Outcome<null, GitError>> {
    const added = await this.#run(['add', '-F', '-', commit], Buffer.from(text));
    return added.ok ? ok(null) : failed(added.error);
  }

  #run(args: readonly string[], stdin?: Uint8Array) {
    const { commonDir } = this.#repository;
    const run = { gitDir: commonDir, args: [...AUTHOR, 'notes', `--ref=${this.#ref}`, ...args] };
    return this.#git.run(stdin === undefined ? run : { ...run, stdin });
  }
}
