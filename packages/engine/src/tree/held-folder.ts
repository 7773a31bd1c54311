import { closeSync, constants, existsSync, openSync, readlinkSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { syncDescriptor } from '../files/durable.js';
import { errorCode } from '../files/system-error.js';
import { DiskRefusal } from './disk-error.js';
import { isInside } from './inside.js';
import { lstatAt } from './stat.js';

/**
 * Node has no `openat`. On Linux a path that begins here goes on from an open folder, wherever that folder has been moved
 * and whatever stands at its old name. Elsewhere the way to the folder is gone through again before and after each step,
 * which is the nearest there is: somebody who exchanges a folder for a link within that moment is not noticed in time.
 */
const OPEN_FOLDERS = '/proc/self/fd';
const CAN_HOLD = process.platform === 'linux' && existsSync(OPEN_FOLDERS);

const AS_FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
/** Linux's O_PATH, which Node does not name: enough to go on from a folder that may be entered but not listed. */
const ONLY_TO_ENTER = 0o10000000;

/** The folders of one workspace that are being worked in. Whoever comes while one is held shares it. */
export class HeldFolders {
  readonly #root: string;
  readonly #held = new Map<string, HeldFolder>();

  constructor(root: string) {
    this.#root = root;
  }

  /** `place`: inside the root, and free of links when it was looked at; if it is not any more, it is refused. */
  hold(place: string): HeldFolder {
    const shared = this.#held.get(place);
    if (shared?.stands()) return shared.share();
    const held = CAN_HOLD
      ? new OpenFolder(this.#root, place, () => this.#forget(place, held))
      : new WatchedFolder(this.#root, place, () => this.#forget(place, held));
    this.#held.set(place, held);
    return held;
  }

  #forget(place: string, held: HeldFolder): void {
    if (this.#held.get(place) === held) this.#held.delete(place);
  }
}

/** A folder that stays the same one, whatever happens to its name. Each holder releases it once. */
export abstract class HeldFolder {
  readonly place: string;
  readonly #onLast: () => void;
  #holders = 1;

  constructor(place: string, onLast: () => void) {
    this.place = place;
    this.#onLast = onLast;
  }

  /** Where to find one of its files. */
  abstract at(name: string): string;
  /** Whether it is where it was when it was taken hold of, still. */
  abstract stands(): boolean;
  /** Makes the names in it survive a crash. */
  abstract sync(): Promise<void>;
  protected abstract close(): void;

  refuseIfMoved(): void {
    if (!this.stands()) throw movedAway(this.place);
  }

  share(): this {
    this.#holders += 1;
    return this;
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders > 0) return;
    this.#onLast();
    this.close();
  }
}

class OpenFolder extends HeldFolder {
  readonly #fd: number;
  /** Its path as the system knows it, which follows the folder when it is moved. */
  readonly #home: string;

  constructor(root: string, place: string, onLast: () => void) {
    super(place, onLast);
    const { fd, home } = walkTo(root, place);
    this.#fd = fd;
    this.#home = home;
  }

  at(name: string): string {
    return `${OPEN_FOLDERS}/${this.#fd}/${name}`;
  }

  stands(): boolean {
    return homeOf(this.#fd) === this.#home;
  }

  async sync(): Promise<void> {
    await syncFolderOf(this.#fd);
  }

  protected close(): void {
    closeSync(this.#fd);
  }
}

class WatchedFolder extends HeldFolder {
  readonly #root: string;
  readonly #identity: string;

  constructor(root: string, place: string, onLast: () => void) {
    super(place, onLast);
    this.#root = root;
    this.#identity = identityOf(root, place) ?? throwMoved(place);
  }

  at(name: string): string {
    return join(this.place, name);
  }

  stands(): boolean {
    return identityOf(this.#root, this.place) === this.#identity;
  }

  async sync(): Promise<void> {
    let fd: number;
    try {
      fd = openSync(this.place, constants.O_RDONLY);
    } catch {
      // Some systems cannot open folders, and need not.
      return;
    }
    try {
      await syncFolderOf(fd);
    } finally {
      closeSync(fd);
    }
  }

  protected close(): void {
    // Nothing is open.
  }
}

/** Opens one folder after the other from the root on, none of them through a link. */
function walkTo(root: string, place: string): { readonly fd: number; readonly home: string } {
  let fd = openFolder(root);
  try {
    const rootHome = homeOf(fd);
    for (const segment of segmentsBelow(root, place)) {
      const next = openFolder(`${OPEN_FOLDERS}/${fd}/${segment}`);
      closeSync(fd);
      fd = next;
    }
    const home = homeOf(fd);
    // It may have been moved away right after its name was passed.
    if (!isInside(rootHome, home)) throwMoved(place);
    return { fd, home };
  } catch (error) {
    closeSync(fd);
    if (NOT_THE_FOLDER.has(errorCode(error))) throw movedAway(place);
    throw error;
  }
}

function openFolder(place: string): number {
  try {
    return openSync(place, AS_FOLDER);
  } catch (error) {
    if (errorCode(error) !== 'EACCES') throw error;
    return openSync(place, AS_FOLDER | ONLY_TO_ENTER);
  }
}

const NOT_THE_FOLDER: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

function homeOf(fd: number): string {
  return readlinkSync(`${OPEN_FOLDERS}/${fd}`);
}

function identityOf(root: string, place: string): string | null {
  let at = root;
  for (const segment of ['', ...segmentsBelow(root, place)]) {
    at = join(at, segment);
    const stats = lstatAt(at);
    if (typeof stats === 'string' || !stats.isDirectory()) return null;
    if (at === place) return `${stats.dev}:${stats.ino}`;
  }
  return null;
}

function segmentsBelow(root: string, place: string): readonly string[] {
  return relative(root, place)
    .split(sep)
    .filter((segment) => segment !== '');
}

function movedAway(place: string): DiskRefusal {
  return new DiskRefusal('outside', `${place} is not the folder any more that it was`);
}

function throwMoved(place: string): never {
  throw movedAway(place);
}

async function syncFolderOf(fd: number): Promise<void> {
  try {
    await syncDescriptor(fd);
  } catch (error) {
    if (!CANNOT_SYNC_FOLDERS.has(errorCode(error))) throw error;
  }
}

const CANNOT_SYNC_FOLDERS: ReadonlySet<string> = new Set(['EINVAL', 'EPERM', 'EISDIR', 'ENOTSUP', 'EBADF']);
