import { join } from 'node:path';
import { failed, nameOf, type Outcome, ok, parentOf, type WorkspacePath } from '@palimpsest/core';
import { compareAndWrite } from './compare-and-write.js';
import type {
  ContentHash,
  Disk,
  ExpectedFile,
  FileIdentity,
  FileRead,
  Leftovers,
  NextFile,
  RemovedFile,
  WriteConflict,
  WriteOptions,
  Written,
} from './disk.js';
import { type DiskError, diskError } from './disk-error.js';
import { removeEmptyFolders } from './empty-folders.js';
import { HeldFolders } from './held-folder.js';
import { clearLeftovers } from './leftovers.js';
import { type Consumed, identifyWhole, readWhole } from './read-file.js';
import { type FileStat, statPath } from './stat.js';

/** `root` must be absolute and free of links; `checkRoot` gives it. */
export function openDisk(root: string): Disk {
  return new RealDisk(root);
}

class RealDisk implements Disk {
  readonly #root: string;
  readonly #folders: HeldFolders;

  constructor(root: string) {
    this.#root = root;
    this.#folders = new HeldFolders(root);
  }

  stat(path: WorkspacePath): FileStat | null {
    const standing = statPath(this.#root, path);
    return standing.kind === 'file' ? standing.stat : null;
  }

  async read(path: WorkspacePath): Promise<Outcome<FileRead, DiskError>> {
    const found = await this.#consume(path, readWhole);
    if (!found.ok) return found;
    const { stat, value } = found.value;
    return ok({ stat, bytes: value, mode: stat.mode });
  }

  async identify(path: WorkspacePath): Promise<Outcome<FileIdentity, DiskError>> {
    const found = await this.#consume(path, identifyWhole);
    if (!found.ok) return found;
    const { stat, value } = found.value;
    return ok({ stat, content: value, mode: stat.mode });
  }

  async write(
    path: WorkspacePath,
    expected: ExpectedFile | null,
    next: NextFile | null,
    hash: ContentHash,
    options: WriteOptions = {},
  ): Promise<Outcome<Written, WriteConflict | DiskError>> {
    try {
      return await compareAndWrite(this.#folders, this.#root, { path, expected, next, hash, options });
    } catch (error) {
      return failed(diskError(path, error));
    }
  }

  removeEmptyFolders(above: Iterable<RemovedFile>): readonly WorkspacePath[] {
    return removeEmptyFolders(this.#folders, this.#root, above);
  }

  clearLeftovers(paths: Iterable<WorkspacePath>, leftovers: Leftovers): Promise<void> {
    return clearLeftovers(this.#folders, this.#root, paths, leftovers);
  }

  async #consume<T>(
    path: WorkspacePath,
    consume: (place: string) => Promise<Consumed<T>>,
  ): Promise<Outcome<Consumed<T>, DiskError>> {
    const standing = statPath(this.#root, path);
    if (standing.kind === 'missing') return failed({ code: 'missing', path, detail: 'no such file' });
    try {
      const folder = this.#folders.hold(join(this.#root, parentOf(path) ?? ''));
      // The next file is in the same folder, mostly, and shares it.
      const release = () => setImmediate(() => folder.release());
      return ok(await consume(folder.at(nameOf(path))).finally(release));
    } catch (error) {
      return failed(diskError(path, error));
    }
  }
}
