import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import {
  type Durability,
  listNames,
  replaceFile,
  syncPath,
  TEMP_AGE_LIMIT_MS,
  TEMP_OBJECT_PREFIX,
} from '../files/durable.js';

const HEAD = 'ref: refs/heads/main\n';
/** Nothing may be pruned or packed behind our back, and no reflog is kept: our log is the history. */
const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\tlogallrefupdates = false
[gc]
\tauto = 0
[maintenance]
\tauto = false
`;

/** Makes the repository by hand: `git init` would copy the user's template folder, hooks included. */
export async function ensureBareRepository(gitDir: string, durability: Durability): Promise<void> {
  for (const folder of ['objects/pack', 'objects/info', 'refs/heads'])
    await fs.mkdir(join(gitDir, folder), { recursive: true, mode: 0o700 });
  const present = new Set(await fs.readdir(gitDir));
  if (!present.has('config')) await replaceFile(join(gitDir, 'config'), CONFIG, durability);
  // Last, because a folder counts as a repository from the moment it has a HEAD.
  if (!present.has('HEAD')) await replaceFile(join(gitDir, 'HEAD'), HEAD, durability);
  if (durability === 'full') await syncPath(gitDir);
}

/** Removes what writers that were killed left behind. */
export async function sweepTemps(gitDir: string, isLeftover: (name: string, ageMs: number) => boolean): Promise<void> {
  for (const folder of await objectFolders(gitDir)) {
    const names = await listNames(folder);
    for (const name of names) {
      if (!isTemp(name, names)) continue;
      const stat = await fs.stat(join(folder, name)).catch(() => null);
      if (stat !== null && isLeftover(name, Date.now() - stat.mtimeMs))
        await fs.rm(join(folder, name), { force: true, recursive: true });
    }
  }
}

export const isOldTemp = (_name: string, ageMs: number) => ageMs > TEMP_AGE_LIMIT_MS;

/** The folders that hold objects: `xx`, `pack`, `info`, and the git dir itself for its small files. */
export async function objectFolders(gitDir: string): Promise<readonly string[]> {
  const objects = join(gitDir, 'objects');
  const names = await listNames(objects);
  const folders = names.filter((name) => /^([0-9a-f]{2}|pack|info)$/.test(name));
  return [gitDir, ...folders.map((name) => join(objects, name))];
}

function isTemp(name: string, siblings: readonly string[]): boolean {
  if (name.startsWith(TEMP_OBJECT_PREFIX) || /^tmp_(pack|idx|rev)_/.test(name)) return true;
  // A pack becomes visible with its index; one that never got it is unreachable.
  return /^pack-[0-9a-f]{40}\.pack$/.test(name) && !siblings.includes(name.replace(/pack$/, 'idx'));
}
