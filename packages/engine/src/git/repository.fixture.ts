import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { sealGit } from './run.js';

export const testGit = sealGit(process.env);

/** A folder of this test file's own, removed at its end. */
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pal-git-')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Plain git as a user would run it, but with a home and a clock of its own. */
export function userGit(cwd: string, ...args: readonly string[]): string {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.org',
    GIT_AUTHOR_DATE: '1700000000 +0000',
    GIT_COMMITTER_DATE: '1700000000 +0000',
  };
  const settings = ['-c', 'init.defaultBranch=main', '-c', 'protocol.file.allow=always', '-c', 'gc.auto=0'];
  return execFileSync('git', [...settings, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    .toString('utf8')
    .replace(/\n+$/, '');
}

export function fsck(gitDir: string): string {
  return userGit(gitDir, '--git-dir', gitDir, 'fsck', '--full', '--strict', '--no-dangling');
}

export function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** A repository with these files committed. */
export function committed(folder: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  mkdirSync(folder, { recursive: true });
  userGit(folder, 'init', '-q');
  writeFiles(folder, files);
  userGit(folder, 'add', '-A');
  userGit(folder, 'commit', '-q', '-m', 'first');
  return folder;
}

/** `base` and two branches, `main` and `other`, that change the same line. */
export function diverged(folder: string): string {
  committed(folder, { a: 'base\n' });
  userGit(folder, 'checkout', '-q', '-b', 'other');
  writeFiles(folder, { a: 'other\n' });
  userGit(folder, 'commit', '-q', '-a', '-m', 'other');
  userGit(folder, 'checkout', '-q', 'main');
  writeFiles(folder, { a: 'main\n' });
  userGit(folder, 'commit', '-q', '-a', '-m', 'main');
  return folder;
}

/** Every file below a folder with size, mode and time: equal before and after means nothing was written. */
export function fingerprint(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const stat = statSync(join(folder, name), { bigint: true });
      return `${name} ${stat.size} ${stat.mode} ${stat.mtimeNs} ${stat.ctimeNs}`;
    })
    .sort();
}
