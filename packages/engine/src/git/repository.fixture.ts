import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { put } from '../../../../test/folder.fixture.js';
import { commitAll, gitEnvironment, runGit } from '../../../../test/git.fixture.js';
import { sealGit } from './run.js';

export { newFolder as tempFolder, put as writeFiles } from '../../../../test/folder.fixture.js';

export const testGit = sealGit(process.env);

const CLOCK = { GIT_AUTHOR_DATE: '1700000000 +0000', GIT_COMMITTER_DATE: '1700000000 +0000' };

/** With a clock of its own, so that ids are the same each time. */
export function userGit(cwd: string, ...args: readonly string[]): string {
  return runGit(cwd, args, { environment: CLOCK }).replace(/\n+$/, '');
}

export function fsck(gitDir: string): string {
  return userGit(gitDir, '--git-dir', gitDir, 'fsck', '--full', '--strict', '--no-dangling');
}

/** A repository with these files committed. */
export function committed(folder: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  mkdirSync(folder, { recursive: true });
  put(folder, files);
  commitAll(folder, { ...gitEnvironment(), ...CLOCK });
  return folder;
}

/** `base` and two branches, `main` and `other`, that change the same line. */
export function diverged(folder: string): string {
  committed(folder, { a: 'base\n' });
  userGit(folder, 'checkout', '-q', '-b', 'other');
  put(folder, { a: 'other\n' });
  userGit(folder, 'commit', '-q', '-a', '-m', 'other');
  userGit(folder, 'checkout', '-q', 'main');
  put(folder, { a: 'main\n' });
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
