import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import type { ObjectStore } from '../git/objects.js';
import { GitFailure } from '../git/run.js';
import { makeParents } from './carrier.js';
import type { TreeFile } from './scratch-repository.js';
import type { NotCarried } from './worktree.js';

/**
 * Writes the files that git does not let into an index, such as `.GIT/config`. On Linux they are files like any other; where
 * such a name may mean git's own folder they stay behind.
 */
export async function writeRefused(
  objects: ObjectStore,
  files: readonly TreeFile[],
  folder: string,
): Promise<readonly NotCarried[]> {
  if (process.platform !== 'linux') return files.map(({ path }) => ({ path, reason: 'special' }));
  for (const { path, mode, id } of files) {
    const read = await objects.read(id);
    if (!read.ok) throw new GitFailure(read.error.code === 'damaged' ? missing(path) : read.error);
    if (read.value === null || !makeParents(folder, path)) throw new GitFailure(missing(path));
    const place = join(folder, path);
    if (mode === '120000') await fs.symlink(read.value.bytes, place);
    else await fs.writeFile(place, read.value.bytes, { flag: 'wx', mode: mode === '100755' ? 0o777 : 0o666 });
  }
  return [];
}

function missing(path: string) {
  return { code: 'git-exit', args: [], exitCode: 1, stderr: `${path} cannot be read` } as const;
}
