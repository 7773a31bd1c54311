import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import { type Outcome, ok } from '@palimpsest/core';
import { listNames, syncPath } from '../files/durable.js';
import type { ObjectId } from './object-id.js';
import type { Git, GitError, GitRun } from './run.js';

/** Packing the files of a large repository takes minutes on a slow disk, and nobody waits for it. */
export const PACKING_LIMIT_MS = 60 * 60 * 1000;

/**
 * Copies objects that git can read, own or borrowed, into one pack of ours; durable when it resolves. Answers its name,
 * which may be that of a pack that was there: git names a pack by what is in it. Fails as a whole when one of them cannot
 * be read.
 */
export async function packExisting(
  { gitDir, git }: { readonly gitDir: string; readonly git: Git },
  ids: readonly ObjectId[],
  {
    deltas,
    names,
    ...options
  }: Pick<GitRun, 'priority' | 'signal'> & {
    readonly deltas: 'reuse' | 'search';
    /** Where an object was met: things of one name resemble each other, and make small deltas. */
    readonly names?: ReadonlyMap<ObjectId, string>;
  },
): Promise<Outcome<string, GitError>> {
  const packDir = join(gitDir, 'objects', 'pack');
  const before = new Set(await listNames(packDir));
  const packed = await git.run({
    ...options,
    gitDir,
    // Searching for deltas makes the pack small and the work long; those already found are reused either way.
    args: [
      'pack-objects',
      '-q',
      '--threads=1',
      deltas === 'search' ? '--window=10' : '--window=0',
      join(packDir, 'pack'),
    ],
    stdin: Buffer.from(ids.map((id) => `${id}${nameHint(names?.get(id))}\n`).join('')),
    timeoutMs: PACKING_LIMIT_MS,
  });
  if (!packed.ok) {
    // Git leaves its unfinished files when it is ended, and they can be as large as the whole.
    for (const name of await listNames(packDir))
      if (/^tmp_(pack|idx|rev)_/.test(name) && !before.has(name)) await fs.rm(join(packDir, name), { force: true });
    return packed;
  }
  // Git syncs the files but not the folder that names them.
  await syncPath(packDir);
  return ok(`pack-${packed.value.toString('latin1').trim()}`);
}

/** A line to git holds one name; one that does not fit into a line is left out, since it only helps. */
function nameHint(name: string | undefined): string {
  return name === undefined || /[\n\0]/.test(name) ? '' : ` ${name}`;
}
