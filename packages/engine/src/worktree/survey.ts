import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WorkspacePath } from '@palimpsest/core';
import { isAbsence } from '../files/system-error.js';
import { below, type Coverage, type CoveredFolder, lastName, parentFolder } from '../tree/coverage.js';
import { lstatAt, mayRead } from '../tree/stat.js';
import type { IncludeRules } from './include-rules.js';
import type { NotCarried } from './worktree.js';

/** What a workspace holds besides the tree that is kept of it. Paths of folders end in `/`. */
export type Survey = {
  /** Ignored, and named in `.worktreeinclude`. */
  readonly named: readonly string[];
  /** Files that are covered and whose bytes are too many to be kept. */
  readonly large: readonly string[];
  /** Folders that a package manager or a build fills. */
  readonly dependencies: readonly string[];
  /** Folders that are the top of a repository of their own. */
  readonly repositories: readonly string[];
  readonly notCarried: readonly NotCarried[];
  /** How many more there are than the list has. */
  readonly beyond: number;
};

/** They are made again by whatever needs them, speak of the folder that they are in, and there may be thousands. */
const CACHES = new Set(
  '__pycache__ .mypy_cache .pytest_cache .ruff_cache .tox .nox .eggs .turbo .cache .parcel-cache .vite .nyc_output'.split(
    ' ',
  ),
);
const FOLDERS_PER_TURN = 64;
const LISTED_LIMIT = 1_000;

/** Goes through the folders on disk. Gives way to others between two lots of them. */
export async function survey(coverage: Coverage, inTree: ReadonlySet<string>, include: IncludeRules): Promise<Survey> {
  const found = new Findings(coverage, inTree, include);
  const waiting: CoveredFolder[] = [coverage.root];
  for (let n = 1; waiting.length > 0; n++) {
    waiting.push(...found.visit(waiting.pop() as CoveredFolder));
    if (n % FOLDERS_PER_TURN === 0) await nextTurn();
  }
  return found.survey();
}

/** Of the files in the kept tree those that are ignored and not named. */
export function leftOutOf(
  paths: Iterable<string>,
  coverage: Coverage,
  include: IncludeRules,
): readonly WorkspacePath[] {
  const out: WorkspacePath[] = [];
  for (const path of paths) {
    if (coverage.isNamed(path)) continue;
    const judged = coverage.file(path, 0);
    if ((!judged.covered || judged.ignored) && !include.names(path)) out.push(path as WorkspacePath);
  }
  return out;
}

/** How an ignored file is listed: by itself, or with the ignored folder that it is in. */
export function listedAs(coverage: Coverage, path: string): string {
  const parent = coverage.folder(parentFolder(path));
  return parent.covered && parent.folder.kind !== 'ordinary' ? `${parent.folder.base}/` : path;
}

class Findings {
  readonly #coverage: Coverage;
  readonly #inTree: ReadonlySet<string>;
  readonly #include: IncludeRules;
  readonly #named: string[] = [];
  readonly #large: string[] = [];
  readonly #dependencies: string[] = [];
  readonly #repositories: string[] = [];
  readonly #notCarried = new Map<string, NotCarried>();
  #beyond = 0;

  constructor(coverage: Coverage, inTree: ReadonlySet<string>, include: IncludeRules) {
    this.#coverage = coverage;
    this.#inTree = inTree;
    this.#include = include;
  }

  survey(): Survey {
    return {
      named: this.#named,
      large: this.#large,
      dependencies: this.#dependencies,
      repositories: this.#repositories,
      notCarried: [...this.#notCarried.values()],
      beyond: this.#beyond,
    };
  }

  /** The folders in it that are to be visited. */
  visit(folder: CoveredFolder): readonly CoveredFolder[] {
    const entries = this.#read(folder);
    const deeper: CoveredFolder[] = [];
    for (const entry of entries) {
      const path = below(folder, entry.name);
      if (entry.name === '.git') {
        if (folder.path !== '') this.#repositories.push(`${folder.path}/`);
      } else if (entry.isDirectory()) {
        const child = this.#folder(folder, path, entry.name);
        if (child !== null) deeper.push(child);
      } else if (!this.#inTree.has(path)) this.#file(folder, path, entry);
    }
    return deeper;
  }

  #read(folder: CoveredFolder): readonly Dirent[] {
    try {
      const entries = readdirSync(join(this.#coverage.rules.root, folder.path), { withFileTypes: true });
      const repository = entries.some(({ name }) => name === '.git');
      const ignoreFile = entries.some(({ name }) => name === '.gitignore');
      this.#coverage.hasListed(folder, { repository, ignoreFile });
      return entries;
    } catch (error) {
      if (!isAbsence(error)) this.#leave(`${folder.path}/`, 'unreadable');
      return [];
    }
  }

  #folder(parent: CoveredFolder, path: string, name: string): CoveredFolder | null {
    if (CACHES.has(name)) return null;
    const judged = this.#coverage.judgeFolder(parent, name);
    const listed = `${path}/`;
    if (judged.covered && judged.folder.kind === 'ordinary') return judged.folder;
    if (!judged.covered && (judged.reason === 'internal' || judged.reason === 'scratch')) return null;
    if (this.#include.names(listed)) this.#named.push(listed);
    else if (this.#isFilled(judged)) this.#dependencies.push(listed);
    else if (judged.covered && this.#include.mayNameIn(path)) return judged.folder;
    else this.#leave(judged.covered ? `${judged.folder.base}/` : listed, 'ignored');
    return null;
  }

  /** By a package manager or a build: it is closed, or left out without being merely too much. */
  #isFilled(judged: ReturnType<Coverage['judgeFolder']>): boolean {
    if (judged.covered) return judged.folder.kind === 'closed';
    return judged.reason === 'dependency' || judged.reason === 'ignored';
  }

  #file(folder: CoveredFolder, path: string, entry: Dirent): void {
    const place = join(this.#coverage.rules.root, path);
    const stat = lstatAt(place);
    if (stat === 'missing') return;
    if (!entry.isFile() && !entry.isSymbolicLink()) this.#leave(path, 'special');
    else if (stat === 'unreadable' || !mayRead(place, stat)) this.#leave(path, 'unreadable');
    else this.#readable(folder, path, stat.size);
  }

  /** What is covered and not in the tree came after it. */
  #readable(folder: CoveredFolder, path: string, size: number): void {
    const judged = this.#coverage.judgeFile(folder, path, lastName(path), size);
    if (!judged.covered && (judged.reason === 'internal' || judged.reason === 'scratch')) return;
    if (judged.covered && !judged.kept) this.#large.push(path);
    else if (!judged.covered || judged.ignored) {
      if (this.#include.names(path)) this.#named.push(path);
      else this.#leave(folder.kind === 'ordinary' ? path : `${folder.base}/`, 'ignored');
    }
  }

  #leave(path: string, reason: NotCarried['reason']): void {
    if (this.#notCarried.has(path)) return;
    if (this.#notCarried.size < LISTED_LIMIT) this.#notCarried.set(path, { path, reason });
    else this.#beyond += 1;
  }
}
