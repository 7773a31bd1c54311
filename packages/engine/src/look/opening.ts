import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Circumstance, parentOf, type WorkspacePath } from '@palimpsest/core';
import { isNameOnly } from '../store/unread.js';
import type { FileStat } from '../tree/stat.js';
import type { Observation } from './observer.js';

/**
 * - `first`: nothing is known but, perhaps, git's index.
 * - `resumed`: the first one ended before the names of the files were stored. What is known is the same, but things may
 *   have happened since.
 * - `again`: what the log holds is known.
 */
export type OpeningKind = 'first' | 'resumed' | 'again';

/**
 * Tells what was so before we looked from what happened since.
 *
 * On the first open of a workspace, files that differ from git's index, or are not in it, and were last touched before
 * we opened, were so already and are nobody's change. On a later open what differs from the last known state happened
 * while nobody watched, until the tree has been gone through once.
 */
export class Opening {
  /** When the workspace was opened for the first time. */
  readonly firstAtMs: number;
  readonly #root: string;
  readonly #kind: OpeningKind;
  readonly #seen = new Set<WorkspacePath>();
  readonly #cameUnwatched = new Set<WorkspacePath>();
  readonly #touchedBefore = new Set<WorkspacePath>();
  #names: ReadonlySet<string> | null;
  #rulesTouched = false;
  #takingStock = true;
  #named = false;
  #blind: boolean;

  /** `names`: of the files that were there when watching began; null where that is not known. */
  constructor(root: string, firstAtMs: number, kind: OpeningKind, names: readonly string[] | null) {
    this.#root = root;
    this.firstAtMs = firstAtMs;
    this.#kind = kind;
    this.#blind = kind === 'resumed';
    this.#names = names === null ? null : new Set(names);
  }

  get takingStock(): boolean {
    return this.#takingStock;
  }

  /** The name and the stat of every file are known. */
  get named(): boolean {
    return this.#named;
  }

  /** Nothing was recorded of the workspace before. */
  get isFirst(): boolean {
    return this.#kind !== 'again';
  }

  /** Somebody may have changed files before we knew which ones there are. */
  get blind(): boolean {
    return this.#blind;
  }

  get circumstance(): Circumstance {
    return this.#takingStock && this.#kind !== 'first' ? 'offline' : 'live';
  }

  /** What changes in a file after we have looked at it happens before our eyes, whatever of the tree is still ahead. */
  circumstanceOf(path: WorkspacePath): Circumstance {
    return this.#seen.has(path) ? 'live' : this.circumstance;
  }

  sawNow(path: WorkspacePath): void {
    if (this.#takingStock) this.#seen.add(path);
  }

  hasSeen(path: WorkspacePath): boolean {
    return this.#seen.has(path);
  }

  /** Somebody may change anything from here on. */
  letGo(): void {
    if (!this.#named) this.#blind = true;
  }

  /** Until all are named with their stats: the files that were there when watching began, where that is known. */
  get names(): ReadonlySet<string> | null {
    return this.#names;
  }

  /** What is ignored was last changed at this time: what was left out until then may come into view, and was there. */
  sawRules(touchedAtMs: number): void {
    if (touchedAtMs >= this.firstAtMs) this.#rulesTouched = true;
  }

  /** Whether a file was there of which nothing but the name is known, and that nobody has looked at since. */
  wasThere(path: WorkspacePath): boolean {
    return this.#names?.has(path) === true && !this.#seen.has(path);
  }

  /**
   * `cameUnwatched`: those that were made while nobody watched. `touchedBefore`: those that git knows, and that were
   * touched since the first open, so that nobody knows whether they held what git says.
   */
  nameAll(cameUnwatched: Iterable<WorkspacePath>, touchedBefore: Iterable<WorkspacePath>): void {
    this.#named = true;
    this.#names = null;
    for (const path of cameUnwatched) this.#cameUnwatched.add(path);
    for (const path of touchedBefore) this.#touchedBefore.add(path);
  }

  cameUnwatched(path: WorkspacePath): boolean {
    return this.#cameUnwatched.has(path);
  }

  finish(): void {
    this.#takingStock = false;
    this.#seen.clear();
    this.#cameUnwatched.clear();
    this.#touchedBefore.clear();
  }

  precedes({ path, before, after }: Observation): boolean {
    if (!this.isFirst) return false;
    if (after === null) return before?.borrowed === true && !this.#named && !this.mayHaveVanished(path);
    if (isNameOnly(before) || before?.borrowed === true) return after.ctimeMs < this.firstAtMs;
    if (before !== null || this.#named || this.#seen.has(path)) return false;
    return after.ctimeMs < this.firstAtMs && !this.hasCome(path, after);
  }

  /** Whether it cannot be told what the file was before: somebody may have changed it before we knew of it. */
  isUncertain({ path, before }: Observation): boolean {
    if (!this.isFirst || this.#seen.has(path)) return false;
    if (before === null) return !this.#named && this.#names === null && (this.#blind || !this.isNew(path));
    return before.borrowed === true && (!this.#named || this.#touchedBefore.has(path));
  }

  /** Whether a file that nobody knew of came to its place after the workspace was first opened, as far as can be told. */
  hasCome(path: WorkspacePath, { ctimeMs }: Pick<FileStat, 'ctimeMs'>): boolean {
    if (this.#names !== null) return !this.#names.has(path) && !(this.#rulesTouched && ctimeMs < this.firstAtMs);
    return ctimeMs < this.firstAtMs && this.#mayHaveMoved(path);
  }

  /** Whether the file was nowhere when the workspace was first opened. */
  isNew(path: WorkspacePath): boolean {
    const stats = lstatSync(join(this.#root, path), { throwIfNoEntry: false });
    return stats !== undefined && Math.min(stats.birthtimeMs, stats.mtimeMs) >= this.firstAtMs;
  }

  /** Whether a name that is not there may have been there when the workspace was first opened. */
  mayHaveVanished(path: WorkspacePath): boolean {
    for (let folder = parentOf(path); ; folder = parentOf(folder)) {
      const stats = statSync(join(this.#root, folder ?? ''), { throwIfNoEntry: false });
      if (stats !== undefined || folder === null) return (stats?.mtimeMs ?? 0) >= this.firstAtMs;
    }
  }

  /** Whether a file that was left alone may have come to its place with a folder since then. */
  #mayHaveMoved(path: WorkspacePath): boolean {
    for (let folder = parentOf(path); ; folder = parentOf(folder)) {
      const stats = statSync(join(this.#root, folder ?? ''), { throwIfNoEntry: false });
      if (folder === null) return false;
      // A folder that is moved changes itself, and nothing in it.
      if (stats === undefined || (stats.ctimeMs >= this.firstAtMs && stats.mtimeMs < this.firstAtMs)) return true;
    }
  }
}
