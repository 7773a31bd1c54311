import { runGit } from '../../../../test/git.fixture.js';
import { type CoverageRules, coverageRules } from './coverage-rules.js';
import { listFolder } from './scan.js';

export { newFolder, put } from '../../../../test/folder.fixture.js';

export function git(cwd: string, ...args: string[]): string {
  return gitWith('', cwd, ...args);
}

export function gitWith(input: string, cwd: string, ...args: string[]): string {
  // 1 is how check-ignore and diff answer no.
  return runGit(cwd, ['-c', 'core.excludesFile=', ...args], { input, answers: [0, 1] });
}

/** Covered paths in order, with `?` after ignored ones, and what is not covered as `path: reason`. */
export function covered(root: string, chosen: Partial<CoverageRules> = {}): { taken: string[]; left: string[] } {
  const tree = listFolder(coverageRules(root, chosen), '');
  if (tree === null) throw new Error('too many files for a test');
  return {
    taken: [...tree.files()].map((file) => (file.ignored ? `${file.path}?` : file.path)).sort(),
    left: tree.coverage.uncovered.map(({ path, reason }) => `${path}: ${reason}`).sort(),
  };
}
