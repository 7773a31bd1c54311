import { join } from 'node:path';
import { failed, nameOf, type Outcome, ok, parentOf, type WorkspacePath } from '@palimpsest/core';
import { compareAndWrite } from './compare-and-write.js';
import type { Disk } from './disk.js';
import { type DiskError, diskError } from './disk-error.js';
import { removeEmptyFolders } from './empty-folders.js';
import { HeldFolders } from './held-folder.js';
import { clearLeftovers } from './leftovers.js';
import { type Consumed, identifyWhole, readWhole } from './read-file.js';
import { statPath } from './stat.js';

/** `root` must be absolute and free of links; `checkRoot` gives it. */
export function openDisk(root: string): Disk {
  const folders = new HeldFolders(root);

  async function consume<T>(
    path: WorkspacePath,
    read: (place: string) => Promise<Consumed<T>>,
  ): Promise<Outcome<Consumed<T>, DiskError>> {
    const standing = statPath(root, path);
    if (standing.kind === 'missing') return failed({ code: 'missing', path, detail: 'no such file' });
    try {
      const folder = folders.hold(join(root, parentOf(path) ?? ''));
      // The next file is in the same folder, mostly, and shares it.
      const release = () => setImmediate(() => folder.release());
      return ok(await read(folder.at(nameOf(path))).finally(release));
    } catch (error) {
      return failed(diskError(path, error));
    }
  }

  return {
    stat(path) {
      const standing = statPath(root, path);
      return standing.kind === 'file' ? standing.stat : null;
    },
    async read(path) {
      const found = await consume(path, readWhole);
      if (!found.ok) return found;
      const { stat, value } = found.value;
      return ok({ stat, bytes: value, mode: stat.mode });
    },
    async identify(path) {
      const found = await consume(path, identifyWhole);
      if (!found.ok) return found;
      const { stat, value } = found.value;
      return ok({ stat, content: value, mode: stat.mode });
    },
    async write(path, expected, next, hash, options = {}) {
      try {
        return await compareAndWrite(folders, root, { path, expected, next, hash, options });
      } catch (error) {
        return failed(diskError(path, error));
      }
    },
    removeEmptyFolders: (above) => removeEmptyFolders(folders, root, above),
    clearLeftovers: (paths, leftovers) => clearLeftovers(folders, root, paths, leftovers),
  };
}
