import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CoverageRules, DependencyFolder } from './coverage-rules.js';
import {
  cutShortIn,
  holdsRepository,
  judgeByRules,
  type RuleChain,
  type RuleSources,
  rulesAbove,
  rulesInside,
  takenBackIn,
} from './ignore-rules.js';
import { type ScratchMatcher, scratchMatcher } from './scratch.js';

export type UncoveredReason =
  | 'ignored'
  | 'too-large'
  | 'unreadable'
  | 'special'
  | 'name-not-utf8'
  | 'dependency'
  | 'limit'
  /** It was there and went, or was written over, before anybody could read it. */
  | 'unread'
  /** Only listed for a scratch file that git tracks, because somebody may miss it. */
  | 'scratch';

/** `path` ends in `/` for a folder that is left out, wholly or but for what is tracked or named in it. */
export type Uncovered = { readonly path: string; readonly reason: UncoveredReason };

/** What a scan did not take. The list is cut at a limit; `beyond` counts what was cut. */
export type CoverageReport = {
  readonly uncovered: readonly Uncovered[];
  readonly beyond: number;
  /** Files of ignore rules of which some were passed over, so that what those name is covered. */
  readonly rulesCutShort: readonly string[];
};

export const NOTHING_LEFT_OUT: CoverageReport = { uncovered: [], beyond: 0, rulesCutShort: [] };

/** `internal`: git's or our own data, which nobody expects to be covered. */
type LeftOut = { readonly covered: false; readonly reason: UncoveredReason | 'internal' };

type FileJudgement =
  /** `kept` is false for a file whose bytes are too many to store: it is noticed, but cannot be taken back. */
  { readonly covered: true; readonly kept: boolean; readonly ignored: boolean } | LeftOut;

type FolderJudgement = { readonly covered: true; readonly folder: CoveredFolder } | LeftOut;

/** A folder that is entered. */
export type CoveredFolder = {
  readonly path: string;
  readonly kind:
    | 'ordinary'
    /** Its small files are covered, up to a limit. */
    | 'ignored'
    /** Only what is tracked or was named is covered. */
    | 'closed';
  /** For `ignored`: the highest ignored folder. For `closed`: why. */
  readonly base: string;
  readonly reason: UncoveredReason;
  rules: RuleChain | null | 'unread';
  readonly rulesAbove: RuleChain | null;
};

/**
 * Decides what of a workspace is covered. The same object serves the walk of a scan, the watcher, and questions about
 * single paths, so that the three cannot disagree.
 */
export class Coverage {
  readonly rules: CoverageRules;
  readonly scratch: ScratchMatcher;
  readonly #root: CoveredFolder;
  readonly #folders = new Map<string, FolderJudgement>();
  readonly #included: Set<string>;
  readonly #admitted = new Set<string>();
  readonly #leftOut: Pick<ReadonlySet<string>, 'has'>;
  /** Every folder above a path that is tracked, was named, or was taken before. */
  readonly #holding = new Set<string>();
  readonly #filesTaken = new Map<string, number>();
  readonly #foldersTaken = new Map<string, number>();
  readonly #rulesCutShort = new Set<string>();
  readonly #dependencies = new Map<string, DependencyFolder[]>();
  readonly #builds: ReadonlySet<string>;

  /** `leftOut`: what the last scan listed as left out, for the time until the next one. */
  constructor(rules: CoverageRules, leftOut: CoverageReport = NOTHING_LEFT_OUT) {
    this.rules = rules;
    this.#leftOut = leftOutOf(leftOut);
    this.scratch = scratchMatcher(rules.scratch);
    this.#included = new Set(rules.included);
    this.#builds = new Set(rules.buildFolders);
    for (const path of rules.tracked) this.#markHolding(path);
    for (const path of rules.included) this.#markHolding(path);
    for (const path of rules.admitted) this.#markHolding(path);
    for (const folder of rules.dependencyFolders) {
      const last = folder.name.slice(folder.name.lastIndexOf('/') + 1);
      this.#dependencies.set(last, [...(this.#dependencies.get(last) ?? []), folder]);
    }
    const above = rulesAbove(rules.root);
    this.#root = { path: '', kind: 'ordinary', base: '', reason: 'ignored', rules: 'unread', rulesAbove: above };
  }

  get root(): CoveredFolder {
    return this.#root;
  }

  /** The rule files that were met so far of which some rules are passed over. */
  get rulesCutShort(): readonly string[] {
    return [...this.#rulesCutShort];
  }

  /** From now on this path is covered, whatever the ignore rules say. */
  include(path: string): void {
    this.#included.add(path);
    this.#markHolding(path);
    // Folders that were left out may now have to be entered.
    this.#folders.clear();
  }

  /** What holds for a folder anywhere in the workspace; `''` is the root. */
  folder(path: string): FolderJudgement {
    if (path === '') return { covered: true, folder: this.#root };
    const known = this.#folders.get(path);
    if (known !== undefined) return known;
    const parent = this.folder(parentFolder(path));
    const judged = parent.covered ? this.judgeFolder(parent.folder, lastName(path)) : parent;
    this.#folders.set(path, judged);
    return judged;
  }

  /** What holds for a file or symlink anywhere in the workspace. */
  file(path: string, size: number): FileJudgement {
    const parent = this.folder(parentFolder(path));
    return parent.covered ? this.judgeFile(parent.folder, path, lastName(path), size) : parent;
  }

  judgeFolder(parent: CoveredFolder, name: string): FolderJudgement {
    const path = below(parent, name);
    if (name === '.git' || this.rules.ownFolders.includes(path)) return INTERNAL;
    if (this.scratch.matchesFolderName(name)) return leftOut('scratch');
    const holding = this.#holding.has(path);
    if (parent.kind === 'closed') return holding ? enter(parent, path, parent) : leftOut(parent.reason);
    if (this.#isDependency(path, name)) {
      return holding
        ? enter(parent, path, { kind: 'closed', base: path, reason: 'dependency' })
        : leftOut('dependency');
    }
    if (parent.kind === 'ignored') return this.#judgeBelowIgnored(parent, path, name);
    const answer = judgeByRules(this.#rulesOf(parent), `${path}/`);
    if (answer !== 'ignored') return enter(parent, path, parent, answer === 'kept' ? 'taken back in' : 'as usual');
    if (this.#builds.has(name)) {
      return holding ? enter(parent, path, { kind: 'closed', base: path, reason: 'ignored' }) : leftOut('ignored');
    }
    return enter(parent, path, { kind: 'ignored', base: path, reason: 'ignored' });
  }

  judgeFile(folder: CoveredFolder, path: string, name: string, size: number): FileJudgement {
    if (name === '.git') return INTERNAL;
    if (this.scratch.matchesName(name)) return leftOut('scratch');
    const kept = size <= this.rules.limits.keptFileBytes;
    if (this.isNamed(path)) {
      if (folder.kind === 'ignored') this.#take(folder.base, path);
      return kept ? COVERED : COVERED_NOT_KEPT;
    }
    switch (folder.kind) {
      case 'closed':
        return this.wasAdmitted(path) ? this.#judgeIgnored(folder.base, path, size) : leftOut(folder.reason);
      case 'ignored':
        return this.#judgeIgnored(folder.base, path, size);
      case 'ordinary':
        if (judgeByRules(this.#rulesOf(folder), path) === 'ignored') return this.#judgeIgnored(folder.path, path, size);
        return kept ? COVERED : COVERED_NOT_KEPT;
    }
  }

  /** Tracked, or named by a tool. */
  isNamed(path: string): boolean {
    return this.rules.tracked.has(path) || this.#included.has(path);
  }

  /** An ignored file that an earlier scan took. */
  wasAdmitted(path: string): boolean {
    return this.rules.admitted.has(path);
  }

  /** Told by a walk that has just listed the folder, which saves asking the disk for rule files that are not there. */
  hasListed(folder: CoveredFolder, holds: RuleSources): void {
    if (folder.rules === 'unread') this.#readRules(folder, holds);
  }

  /** No further ignored file is taken below this folder. */
  isFull(folder: CoveredFolder): boolean {
    const limits = this.rules.limits;
    const taken = this.#filesTaken.get(folder.base) ?? 0;
    return (
      folder.kind === 'ignored' && (taken >= limits.ignoredFilesPerFolder || this.#admitted.size >= limits.ignoredFiles)
    );
  }

  #judgeBelowIgnored(parent: CoveredFolder, path: string, name: string): FolderJudgement {
    const holding = this.#holding.has(path);
    const closed = { kind: 'closed', base: path, reason: 'ignored' } as const;
    if (this.#builds.has(name)) return holding ? enter(parent, path, closed) : leftOut('ignored');
    const taken = this.#foldersTaken.get(parent.base) ?? 0;
    if (!this.isFull(parent) && !this.#leftOut.has(`${path}/`) && taken < this.rules.limits.ignoredFoldersPerFolder) {
      this.#foldersTaken.set(parent.base, taken + 1);
      return enter(parent, path, parent);
    }
    return holding ? enter(parent, path, { ...closed, reason: 'limit' }) : leftOut('limit');
  }

  #judgeIgnored(base: string, path: string, size: number): FileJudgement {
    const limits = this.rules.limits;
    if (size > limits.ignoredFileBytes) return leftOut('ignored');
    if (this.#admitted.has(path)) return COVERED_IGNORED;
    if (this.#wasLeftOut(base, path)) return leftOut('limit');
    const taken = this.#filesTaken.get(base) ?? 0;
    const full = taken >= limits.ignoredFilesPerFolder || this.#admitted.size >= limits.ignoredFiles;
    if (full && !this.wasAdmitted(path)) return leftOut('limit');
    this.#take(base, path);
    return COVERED_IGNORED;
  }

  /** What is known in an ignored folder takes a place in it, so that no other look finds room for more. */
  #take(base: string, path: string): void {
    if (this.#admitted.has(path)) return;
    this.#admitted.add(path);
    this.#filesTaken.set(base, (this.#filesTaken.get(base) ?? 0) + 1);
  }

  /** Between two scans nothing that the last one left out is taken for new. */
  #wasLeftOut(base: string, path: string): boolean {
    return !this.wasAdmitted(path) && (this.#leftOut.has(`${base}/`) || this.#leftOut.has(path));
  }

  #isDependency(path: string, name: string): boolean {
    const candidates = this.#dependencies.get(name);
    if (candidates === undefined) return false;
    return candidates.some(
      (folder) =>
        (path === folder.name || path.endsWith(`/${folder.name}`)) &&
        (folder.holding === undefined || existsSync(join(this.rules.root, path, folder.holding))),
    );
  }

  #rulesOf(folder: CoveredFolder): RuleChain | null {
    if (folder.rules === 'unread') {
      const repository = holdsRepository(join(this.rules.root, folder.path));
      return this.#readRules(folder, { repository, ignoreFile: true });
    }
    return folder.rules;
  }

  #readRules(folder: CoveredFolder, holds: RuleSources): RuleChain | null {
    const rules = rulesInside(this.rules.root, folder.path, folder.rulesAbove, holds);
    folder.rules = rules;
    for (const name of cutShortIn(rules, folder.rulesAbove)) this.#rulesCutShort.add(below(folder, name));
    return rules;
  }

  #markHolding(path: string): void {
    for (let folder = parentFolder(path); folder !== '' && !this.#holding.has(folder); folder = parentFolder(folder)) {
      this.#holding.add(folder);
    }
  }
}

export function parentFolder(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

export function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function below(folder: { readonly path: string }, name: string): string {
  return folder.path === '' ? name : `${folder.path}/${name}`;
}

const INTERNAL: LeftOut = { covered: false, reason: 'internal' };
const COVERED: FileJudgement = { covered: true, kept: true, ignored: false };
const COVERED_NOT_KEPT: FileJudgement = { covered: true, kept: false, ignored: false };
const COVERED_IGNORED: FileJudgement = { covered: true, kept: true, ignored: true };

function leftOut(reason: UncoveredReason): LeftOut {
  return { covered: false, reason };
}

function enter(
  parent: CoveredFolder,
  path: string,
  like: Pick<CoveredFolder, 'kind' | 'base' | 'reason'>,
  rules: 'as usual' | 'taken back in' = 'as usual',
): FolderJudgement {
  const chain = parent.rules === 'unread' ? parent.rulesAbove : parent.rules;
  const rulesAbove = rules === 'taken back in' ? takenBackIn(chain, path) : chain;
  const { kind, base, reason } = like;
  // Below an ignored folder no rule can change anything, so none is read.
  return {
    covered: true,
    folder: { path, kind, base, reason, rules: kind === 'ordinary' ? 'unread' : null, rulesAbove },
  };
}

/** Of a list that was cut nobody knows the rest. */
function leftOutOf({ uncovered, beyond }: CoverageReport): Pick<ReadonlySet<string>, 'has'> {
  if (beyond > 0) return { has: () => true };
  return new Set(uncovered.filter(({ reason }) => reason === 'limit' || reason === 'ignored').map(({ path }) => path));
}
