import { UNRECORDED_CONTENT, type WorkspacePath } from '@palimpsest/core';
import type { FileState } from '../log/log.js';
import type { FileStat } from '../tree/stat.js';

/** A file that is known by its name and stat, and whose bytes nobody has taken yet. */
export function unreadState(path: WorkspacePath, stat: FileStat): FileState {
  const { mode, size, mtimeMs, ctimeMs, ino } = stat;
  return { path, mode, content: UNRECORDED_CONTENT, size, mtimeMs, ctimeMs, ino, kept: false, explicit: false };
}

/** A file that was there, or may have been, and was changed before anybody looked at it. */
export function nameOnlyState(path: WorkspacePath): FileState {
  return unreadState(path, { mode: '100644', size: 0, mtimeMs: -1, ctimeMs: -1, ino: 0 });
}

export function isUnread(state: Pick<FileState, 'content'> | null): boolean {
  return state?.content === UNRECORDED_CONTENT;
}

/** Not even its stat is known. */
export function isNameOnly(state: FileState | null): boolean {
  return state !== null && isUnread(state) && state.mtimeMs < 0;
}

/** Whether a file that was not read yet still holds what it held: a rename and a chmod leave all of this alone. */
export function holdsTheSame(unread: FileState, stat: FileStat): boolean {
  return unread.ino === stat.ino && unread.size === stat.size && unread.mtimeMs === stat.mtimeMs;
}

/** The known files that were not read yet; by inode too, because a file that moves takes its bytes along. */
export class UnreadFiles {
  readonly #inodes = new Map<WorkspacePath, number>();
  readonly #paths = new Map<number, WorkspacePath>();

  get size(): number {
    return this.#inodes.size;
  }

  has(path: WorkspacePath): boolean {
    return this.#inodes.has(path);
  }

  at(ino: number): WorkspacePath | null {
    return this.#paths.get(ino) ?? null;
  }

  add({ path, ino }: FileState): void {
    this.delete(path);
    this.#inodes.set(path, ino);
    // Two names of one file that were found at different times: it moved from the first, which is the one asked for.
    if (ino !== 0 && !this.#paths.has(ino)) this.#paths.set(ino, path);
  }

  delete(path: WorkspacePath): void {
    const ino = this.#inodes.get(path);
    if (ino === undefined) return;
    this.#inodes.delete(path);
    if (this.#paths.get(ino) === path) this.#paths.delete(ino);
  }
}
