import type { ApartFile, Located, Side } from '../apart-file.js';
import { type FileChange, sameVersion } from '../file.js';
import type { WorkspacePath } from '../path.js';
import type { Agreement, FlowPair } from '../worktree-operation.js';

/**
 * What two places hold differently. Whatever is not in here is the same on both sides, so a worktree costs what it differs
 * in and not what it holds. Echo is known by content: a file that is the same again is in here no more.
 */
export class Apart {
  readonly #files = new Set<ApartFile>();
  readonly #at = { here: new Map<WorkspacePath, ApartFile>(), there: new Map<WorkspacePath, ApartFile>() };

  static of(files: readonly ApartFile[]): Apart {
    const apart = new Apart();
    for (const file of files) apart.#put(file);
    return apart;
  }

  get files(): readonly ApartFile[] {
    return [...this.#files];
  }

  at(side: Side, path: WorkspacePath): ApartFile | undefined {
    return this.#at[side].get(path);
  }

  /** The file of which both sides, or one and nothing, go by these names. */
  find({ here, there }: FlowPair): ApartFile | undefined {
    const found = here === null ? undefined : this.at('here', here);
    return found ?? (there === null ? undefined : this.at('there', there));
  }

  /** Something happened to files on one side. They may have changed places, so all of them leave before any arrives. */
  change(side: Side, changes: readonly FileChange[]): void {
    const moving = changes.filter(({ before }) => before !== null);
    const leaving = new Map(moving.map((change) => [change, this.#taken(side, change)]));
    for (const change of [...moving, ...changes.filter(({ before }) => before === null)]) {
      const file = leaving.get(change) ?? this.#awaiting(side, change.path);
      this.#remove(file);
      const now = change.after === null ? null : { path: change.path, version: change.after };
      // Somebody else's name was written over.
      const over = now === null ? undefined : this.at(side, now.path);
      if (over !== undefined) this.#replace(over, { ...over, [side]: null });
      this.#put({ ...file, [side]: now });
    }
  }

  agree({ base, ...pair }: Agreement): void {
    const file = this.find(pair);
    if (file !== undefined) this.#replace(file, { ...file, base: base === undefined ? file.here : base });
  }

  #taken(side: Side, { path, fromPath, before }: FileChange): ApartFile {
    const from = fromPath ?? path;
    const known = this.at(side, from);
    if (known === undefined) {
      const both = { path: from, version: before! };
      return { base: both, here: both, there: both };
    }
    // Out of the way of what comes to its name in the same step.
    this.#remove(known);
    const left = { ...known, [side]: null };
    this.#put(left);
    return left;
  }

  /** One that comes to a name where the other side has a file that this one has not: then it is that file. */
  #awaiting(side: Side, path: WorkspacePath): ApartFile {
    const other = this.at(side === 'here' ? 'there' : 'here', path);
    return other !== undefined && other[side] === null ? other : { base: null, here: null, there: null };
  }

  #replace(old: ApartFile, next: ApartFile): void {
    this.#remove(old);
    this.#put(next);
  }

  #put(file: ApartFile): void {
    if (isSame(file.here, file.there)) return;
    this.#files.add(file);
    if (file.here !== null) this.#at.here.set(file.here.path, file);
    if (file.there !== null) this.#at.there.set(file.there.path, file);
  }

  #remove(file: ApartFile): void {
    if (!this.#files.delete(file)) return;
    for (const side of ['here', 'there'] as const) {
      const path = file[side]?.path;
      if (path !== undefined && this.#at[side].get(path) === file) this.#at[side].delete(path);
    }
  }
}

export function isSame(a: Located | null, b: Located | null): boolean {
  return a?.path === b?.path && sameVersion(a?.version ?? null, b?.version ?? null);
}
