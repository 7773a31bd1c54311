import { type FileVersion, parentOf, type WorkspacePath } from '@palimpsest/core';
import type { FileState } from '../log/log.js';
import { isUnread, UnreadFiles } from './unread.js';

/** What we last observed of every covered file. The log's table of files holds what was last recorded. */
export class KnownTree {
  readonly #files = new Map<WorkspacePath, FileState>();
  /** How many known files are below each folder, so that asking about a path that never was a folder costs nothing. */
  readonly #below = new Map<WorkspacePath, number>();
  readonly #unread = new UnreadFiles();
  #onChange: (path: WorkspacePath) => void = () => undefined;

  /** `listener` is told of every path whose bytes or mode are others from now on; there is room for one. */
  tell(listener: (path: WorkspacePath) => void): void {
    this.#onChange = listener;
  }

  get size(): number {
    return this.#files.size;
  }

  /** Of these files only the name and the stat are known. */
  get unread(): Pick<UnreadFiles, 'size' | 'has' | 'at'> {
    return this.#unread;
  }

  get(path: WorkspacePath): FileState | null {
    return this.#files.get(path) ?? null;
  }

  set(state: FileState): void {
    const old = this.#files.get(state.path);
    if (old === undefined) this.#count(state.path, 1);
    this.#files.set(state.path, state);
    if (isUnread(state)) this.#unread.add(state);
    else this.#unread.delete(state.path);
    const same = old?.content === state.content && old.mode === state.mode && old.kept === state.kept;
    if (!same) this.#onChange(state.path);
  }

  delete(path: WorkspacePath): void {
    if (!this.#files.delete(path)) return;
    this.#unread.delete(path);
    this.#count(path, -1);
    this.#onChange(path);
  }

  paths(): Iterable<WorkspacePath> {
    return this.#files.keys();
  }

  states(): Iterable<FileState> {
    return this.#files.values();
  }

  /** Every folder with a known file at any depth below it. */
  folders(): Iterable<WorkspacePath> {
    return this.#below.keys();
  }

  /** Known files at or below any of the given paths; folders cost one walk over all names together. */
  atOrBelow(paths: Iterable<WorkspacePath>): Set<WorkspacePath> {
    const found = new Set<WorkspacePath>();
    const folders = new Set<WorkspacePath>();
    for (const path of paths) {
      if (this.#files.has(path)) found.add(path);
      if (this.#below.has(path)) folders.add(path);
    }
    if (folders.size === 0) return found;
    for (const path of this.#files.keys()) {
      // Up from the file, so that a thousand folders cost what one does.
      for (let folder = parentOf(path); folder !== null; folder = parentOf(folder)) {
        if (!folders.has(folder)) continue;
        found.add(path);
        break;
      }
    }
    return found;
  }

  #count(path: WorkspacePath, by: number): void {
    for (let folder = parentOf(path); folder !== null; folder = parentOf(folder)) {
      const count = (this.#below.get(folder) ?? 0) + by;
      if (count === 0) this.#below.delete(folder);
      else this.#below.set(folder, count);
    }
  }
}

export function versionOf(state: FileState | null): FileVersion | null {
  return state === null ? null : { content: state.content, mode: state.mode, size: state.size };
}

/** A state that claims nothing about the file's stat, so that the next look reads it. */
export function unproven(path: WorkspacePath, version: FileVersion, explicit = false): FileState {
  return { path, ...version, mtimeMs: -1, ctimeMs: -1, ino: 0, kept: !isUnread(version), explicit };
}
