import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { type CoverageRules, coverageRules } from './coverage-rules.js';
import { listFolder } from './scan.js';

const made: string[] = [];

/** A folder that is gone after the tests of the file. */
export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pal-tree-')));
  made.push(folder);
  return folder;
}

afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

export function put(root: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

/** Git that knows nothing of the user, the machine or the surrounding process. */
export function git(cwd: string, ...args: string[]): string {
  return gitWith('', cwd, ...args);
}

export function gitWith(input: string, cwd: string, ...args: string[]): string {
  const sealed = {
    PATH: process.env.PATH,
    HOME: cwd,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.org',
  };
  const done = spawnSync('git', ['-c', 'protocol.file.allow=always', '-c', 'core.excludesFile=', ...args], {
    cwd,
    env: sealed,
    input,
    encoding: 'utf8',
  });
  // 1 is how check-ignore and diff answer no.
  if (done.status !== 0 && done.status !== 1) throw new Error(`git ${args[0]}: ${done.stderr}`);
  return done.stdout;
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
