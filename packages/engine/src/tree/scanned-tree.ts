import { type FileMode, trustPath, type WorkspacePath } from '@palimpsest/core';
import type { CoverageReport } from './coverage.js';
import { splitPaths } from './coverage-rules.js';
import type { FileStat } from './stat.js';

/** What a scan found, as it crosses from the worker: numbers in typed arrays, paths in one string. */
export type PackedTree = {
  readonly paths: string;
  readonly folders: string;
  /** Low two bits: index in `MODES`. The third: the file is ignored by git's rules. */
  readonly flags: Uint8Array<ArrayBuffer>;
  /** Size, mtime, ctime and inode of each file, four in a row. */
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly coverage: CoverageReport;
  readonly takenAtMs: number;
};

const MODES: readonly FileMode[] = ['100644', '100755', '120000'];
export const IGNORED_FLAG = 4;
const NUMBERS_PER_FILE = 4;

type ScannedFile = { readonly path: WorkspacePath; readonly stat: FileStat; readonly ignored: boolean };

/** All covered files at one moment. Paths are split, and the index by path is built, when first asked for. */
export class ScannedTree {
  readonly count: number;
  readonly coverage: CoverageReport;
  /** When the scan began: whatever was written later may not be in it. */
  readonly takenAtMs: number;
  readonly #packed: PackedTree;
  #paths: string[] | null = null;
  #index: Map<string, number> | null = null;

  constructor(packed: PackedTree) {
    this.#packed = packed;
    this.count = packed.flags.length;
    this.coverage = packed.coverage;
    this.takenAtMs = packed.takenAtMs;
  }

  /** Folders that were entered, without the root. */
  get folders(): WorkspacePath[] {
    return splitPaths(this.#packed.folders).map(trustPath);
  }

  path(index: number): WorkspacePath {
    this.#paths ??= splitPaths(this.#packed.paths);
    const path = this.#paths[index];
    if (path === undefined) throw new Error(`no file ${index} in a tree of ${this.count}`);
    return trustPath(path);
  }

  stat(index: number): FileStat {
    const { flags, numbers } = this.#packed;
    const at = index * NUMBERS_PER_FILE;
    return {
      mode: MODES[(flags[index] ?? 0) & 3] ?? '100644',
      size: numbers[at] ?? 0,
      mtimeMs: numbers[at + 1] ?? 0,
      ctimeMs: numbers[at + 2] ?? 0,
      ino: numbers[at + 3] ?? 0,
    };
  }

  isIgnored(index: number): boolean {
    return ((this.#packed.flags[index] ?? 0) & IGNORED_FLAG) !== 0;
  }

  /** -1 when the path was not there or is not covered. */
  indexOf(path: WorkspacePath): number {
    if (this.#index === null) {
      this.#index = new Map();
      for (let index = 0; index < this.count; index++) this.#index.set(this.path(index), index);
    }
    return this.#index.get(path) ?? -1;
  }

  find(path: WorkspacePath): FileStat | null {
    const index = this.indexOf(path);
    return index < 0 ? null : this.stat(index);
  }

  *files(): Generator<ScannedFile> {
    for (let index = 0; index < this.count; index++) {
      yield { path: this.path(index), stat: this.stat(index), ignored: this.isIgnored(index) };
    }
  }

  /** The ignored files that were taken: pass them as `admitted` to the next scan. */
  admitted(): Set<string> {
    const taken = new Set<string>();
    for (let index = 0; index < this.count; index++) if (this.isIgnored(index)) taken.add(this.path(index));
    return taken;
  }
}

/** When ignore rules were last touched; 0 where there are none. */
export function rulesTouchedAt(scanned: ScannedTree): number {
  let latest = 0;
  for (let index = 0; index < scanned.count; index++)
    if (scanned.path(index).endsWith('.gitignore')) latest = Math.max(latest, scanned.stat(index).ctimeMs);
  return latest;
}
