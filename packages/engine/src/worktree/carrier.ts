import { constants, promises as fs, lstatSync, mkdirSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { errorCode } from '../files/system-error.js';
import { isInside } from '../tree/inside.js';
import type { ListedFile, Stocklist } from './stocklist.js';

export type Sharing = 'reflink' | 'copy';

const FILES_AT_ONCE = 16;

/**
 * Brings files from one tree into another without looking into them. What is there already stays, since it came from the
 * kept tree. No link is followed on either side, and none is made that leads from the new tree back into the old one.
 */
export class Carrier {
  readonly #from: string;
  readonly #to: string;
  #sharing: Sharing | null = null;

  constructor(from: string, to: string) {
    this.#from = from;
    this.#to = to;
  }

  /** Whether the disk shares blocks between the two places. Tried once, with a real file of the one and a name in `apart`. */
  async sharing(sample: string, apart: string): Promise<Sharing> {
    if (this.#sharing !== null) return this.#sharing;
    const trial = join(apart, 'trial');
    try {
      await fs.copyFile(join(this.#from, sample), trial, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE);
      this.#sharing = 'reflink';
    } catch {
      this.#sharing = 'copy'; // Not this disk, not this system, or two disks: all of them mean that bytes must be copied.
    } finally {
      await fs.rm(trial, { force: true });
    }
    return this.#sharing;
  }

  /** One file or link; false when it could not be read, or its folder in the new tree is something else. */
  async file(path: string): Promise<boolean> {
    if (!makeParents(this.#to, path)) return false;
    try {
      const stat = await fs.lstat(join(this.#from, path));
      if (stat.isSymbolicLink()) await this.#link(path, await fs.readlink(join(this.#from, path)));
      else if (stat.isFile()) await this.#copy({ path, atimeMs: stat.atimeMs, mtimeMs: stat.mtimeMs });
      else return false;
      return true;
    } catch (error) {
      if (isFatal(error)) throw error;
      return false;
    }
  }

  /** Answers what could not be brought, by its path in the tree. */
  async folder(path: string, stock: Stocklist): Promise<readonly string[]> {
    const inTree = (below: string) => (below === '' ? path : `${path}/${below}`);
    const lost = stock.unusable.map(inTree);
    if (!makeParents(this.#to, path)) return [path];
    const attempt = async (below: string, work: () => Promise<void>) => {
      try {
        await work();
      } catch (error) {
        if (isFatal(error)) throw error;
        if (errorCode(error) !== 'ENOENT') lost.push(inTree(below));
      }
    };
    // Without the owner's rights nothing could be put into them; they get their own rights at the end.
    for (const folder of stock.folders)
      await attempt(folder.path, () => makeFolder(join(this.#to, inTree(folder.path)), folder.mode | 0o700));
    await inLots(stock.files, (file) => attempt(file.path, () => this.#copy({ ...file, path: inTree(file.path) })));
    for (const link of stock.links) await attempt(link.path, () => this.#link(inTree(link.path), link.target));
    for (const folder of stock.folders.toReversed())
      if ((folder.mode & 0o700) !== 0o700) await fs.chmod(join(this.#to, inTree(folder.path)), folder.mode);
    return lost;
  }

  async #copy({ path, atimeMs, mtimeMs }: ListedFile): Promise<void> {
    const target = join(this.#to, path);
    try {
      await fs.copyFile(join(this.#from, path), target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      // Build tools compare times.
      await fs.utimes(target, atimeMs / 1000, mtimeMs / 1000);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }

  async #link(path: string, target: string): Promise<void> {
    const own =
      isAbsolute(target) && isInside(this.#from, target) ? join(this.#to, relative(this.#from, target)) : target;
    await fs.symlink(own, join(this.#to, path)).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  }
}

/** The folders on the way to a path, each a real one; false when something else is in the way. */
export function makeParents(root: string, path: string): boolean {
  let place = root;
  for (const name of dirname(path).split(/[/\\]/)) {
    if (name === '.' || name === '') continue;
    place = `${place}${sep}${name}`;
    const stat = lstatSync(place, { throwIfNoEntry: false });
    if (stat === undefined) mkdirSync(place);
    else if (!stat.isDirectory()) return false;
  }
  return true;
}

async function makeFolder(place: string, mode: number): Promise<void> {
  try {
    await fs.mkdir(place, { mode });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST' || !(await fs.lstat(place)).isDirectory()) throw error;
  }
}

/** What concerns the whole and not one file. */
function isFatal(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE'].includes(errorCode(error));
}

async function inLots<T>(list: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < list.length) await work(list[next++] as T);
  };
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, worker));
}
