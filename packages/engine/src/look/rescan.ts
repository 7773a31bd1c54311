import type { WorkspacePath } from '@palimpsest/core';
import type { KnownTree } from '../store/known-tree.js';
import { Coverage, type CoverageReport, NOTHING_LEFT_OUT } from '../tree/coverage.js';
import { isUncovered } from '../tree/coverage-list.js';
import { type CoverageRules, coverageRules } from '../tree/coverage-rules.js';
import type { ScanError, Scanner } from '../tree/scan.js';
import { rulesTouchedAt, type ScannedTree } from '../tree/scanned-tree.js';
import { STAT_STEP_MS, sameStat } from '../tree/stat.js';

export type RescanParts = {
  readonly root: string;
  readonly known: KnownTree;
  readonly scanner: Scanner;
  /** What was configured for this workspace. */
  readonly rules: Partial<Omit<CoverageRules, 'root' | 'tracked' | 'included'>>;
  /** Told when a scan could not be made: nothing is taken to be gone then. */
  readonly onFault: (error: ScanError) => void;
};

export type Suspicious = {
  readonly paths: ReadonlySet<WorkspacePath>;
  readonly intoView: ReadonlySet<WorkspacePath>;
  /** What had come into view and is left out again. */
  readonly outOfView: ReadonlySet<WorkspacePath>;
  readonly rulesTouchedAt: number;
};

/** Takes stock of the whole tree when hints are not enough, and keeps what is covered up to date. */
export class Rescan {
  readonly #parts: RescanParts;
  /** Made when first asked for: with many files that takes a while, and a scan brings a newer one. */
  #coverage: Coverage | null = null;
  #report: CoverageReport = NOTHING_LEFT_OUT;
  #admitted: ReadonlySet<string> = new Set();
  /** Files that came into view because rules changed, and of which nothing is on record: they go as they came. */
  readonly #visitors = new Set<WorkspacePath>();
  #scansRunning = 0;
  #resting: Promise<void> = Promise.resolve();

  constructor(parts: RescanParts) {
    this.#parts = parts;
  }

  get coverage(): Coverage {
    this.#coverage ??= new Coverage(this.rules());
    return this.#coverage;
  }

  get report(): CoverageReport {
    return this.#report;
  }

  /** What the rules alone say, whatever is known. */
  bareRules(): CoverageRules {
    return coverageRules(this.#parts.root, this.#parts.rules);
  }

  /** It has left, or something became of it, and it stays in view from here on. */
  settles(path: WorkspacePath): void {
    this.#visitors.delete(path);
  }

  /** Everything known stays covered, so that a new ignore rule never looks like a deletion. */
  rules(): CoverageRules {
    const { root, known, rules } = this.#parts;
    const included = new Set<string>();
    for (const state of known.states()) if (state.explicit) included.add(state.path);
    const tracked = new Set<string>(known.paths());
    for (const path of this.#visitors) tracked.delete(path);
    return coverageRules(root, {
      ...rules,
      tracked,
      included,
      admitted: this.#admitted,
    });
  }

  /**
   * Every path whose stat is not what we know: the few that are worth reading. Null when that cannot be told now.
   * `intoView`: those of them that were left out until now and have not changed since `sinceMs`, so that nobody made them.
   */
  async suspicious(sinceMs: number): Promise<Suspicious | null> {
    const { known } = this.#parts;
    const leftOut = this.#report;
    const scanned = await this.scan();
    if (scanned === null) return null;
    const paths = differing(scanned, known);
    const cameIntoView = (path: WorkspacePath) => {
      const stat = known.get(path) === null ? scanned.find(path) : null;
      return stat !== null && stat.ctimeMs < sinceMs - STAT_STEP_MS && isUncovered(leftOut, path);
    };
    const intoView = new Set([...paths].filter(cameIntoView));
    const isOut = (path: WorkspacePath) => scanned.indexOf(path) < 0 && isUncovered(this.#report, path);
    const outOfView = new Set([...this.#visitors].filter(isOut));
    for (const path of intoView) this.#visitors.add(path);
    return { paths, intoView, outOfView, rulesTouchedAt: rulesTouchedAt(scanned) };
  }

  /** Gives back what a large scan took; the next one starts anew. */
  async rest(): Promise<void> {
    if (this.#scansRunning === 0) this.#resting = this.#parts.scanner.close();
    await this.#resting;
  }

  async scan(): Promise<ScannedTree | null> {
    const rules = this.rules();
    this.#scansRunning += 1;
    // One that begins while the thread is being ended would end with it, and whatever just changed would not be found.
    await this.#resting;
    const scanned = await this.#parts.scanner.scan(rules).finally(() => {
      this.#scansRunning -= 1;
    });
    if (!scanned.ok) {
      this.#parts.onFault(scanned.error);
      return null;
    }
    this.#report = scanned.value.coverage;
    this.#admitted = scanned.value.admitted();
    this.#coverage = new Coverage({ ...rules, admitted: this.#admitted }, this.#report);
    return scanned.value;
  }
}

export function differing(scanned: ScannedTree, known: KnownTree): Set<WorkspacePath> {
  const paths = new Set<WorkspacePath>();
  let met = 0;
  for (const { path, stat } of scanned.files()) {
    const state = known.get(path);
    if (state !== null) met += 1;
    if (state === null || !sameStat(state, stat)) paths.add(path);
  }
  if (met === known.size) return paths;
  for (const path of known.paths()) if (scanned.indexOf(path) < 0) paths.add(path);
  return paths;
}
