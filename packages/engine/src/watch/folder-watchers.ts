import { type FSWatcher, watch } from 'node:fs';
import { join } from 'node:path';
import { errorCode, isAbsence } from '../files/system-error.js';
import { below, type Coverage, type CoveredFolder, lastName, parentFolder } from '../tree/coverage.js';
import { lstatAt } from '../tree/stat.js';
import { walkTree } from '../tree/walk.js';
import type { HintSender } from './hint-sender.js';
import { WATCHED_FOLDER_LIMIT } from './limits.js';

type WatchedFolder = {
  readonly folder: CoveredFolder;
  readonly watcher: FSWatcher;
  readonly children: Set<string>;
};

/** What the worker watches with. */
export interface Watchers {
  /** `met` is told of every file that is there at the start, where that comes out. */
  start(met: (path: string) => void): void;
  /** Watches these folders although coverage would leave them out. One that is not there yet is met when it comes. */
  add(folders: readonly string[]): void;
}

/** One watcher for each covered folder, following folders as they come, go and move. Lives in the worker. */
export class FolderWatchers implements Watchers {
  readonly #coverage: Coverage;
  readonly #sender: HintSender;
  readonly #fail: (note: string) => void;
  readonly #watched = new Map<string, WatchedFolder>();
  #failed = false;
  #rootInode: number | null = null;

  constructor(coverage: Coverage, sender: HintSender, fail: (note: string) => void) {
    this.#coverage = coverage;
    this.#sender = sender;
    this.#fail = fail;
  }

  start(met: (path: string) => void): void {
    this.#rootInode = inodeOf(this.#coverage.rules.root);
    this.#enter(this.#coverage.root, met);
  }

  add(folders: readonly string[]): void {
    for (const folder of folders) this.#coverage.include(below({ path: folder }, '.'));
    for (const folder of folders) this.#addWithParents(folder);
  }

  #close(): void {
    for (const { watcher } of this.#watched.values()) watcher.close();
    this.#watched.clear();
  }

  #addWithParents(path: string): void {
    if (path === '' || this.#watched.has(path) || this.#failed) return;
    this.#addWithParents(parentFolder(path));
    const judged = this.#coverage.folder(path);
    if (judged.covered) this.#attach(judged.folder);
  }

  /** Watches before reading: what appears in between is both reported and found, never neither. */
  #enter(start: CoveredFolder, met: (path: string, name: string) => void): void {
    walkTree(this.#coverage, start, {
      folder: (folder) => {
        const attached = this.#attach(folder);
        return this.#failed ? 'stop' : attached ? 'on' : 'skip';
      },
      file: (_folder, path, entry) => {
        met(path, entry.name);
        return 'on';
      },
      // Only what is covered is watched; the scan lists the rest.
      leftOut: () => undefined,
    });
  }

  #found(path: string, name: string): void {
    if (name === '.gitignore') this.#sender.rescan();
    if (name === '.git' || this.#coverage.scratch.matchesName(name)) return;
    this.#sender.countEvent();
    this.#sender.hint(path);
  }

  #attach(folder: CoveredFolder): boolean {
    if (this.#watched.size >= WATCHED_FOLDER_LIMIT) {
      this.#giveUp(`more than ${WATCHED_FOLDER_LIMIT} folders`);
      return false;
    }
    try {
      const watcher = watch(join(this.#coverage.rules.root, folder.path));
      const watched: WatchedFolder = { folder, watcher, children: new Set() };
      watcher.on('change', (type, name) => this.#onEvent(watched, type, name === null ? null : String(name)));
      watcher.on('error', (error) => this.#onError(watched, error));
      this.#watched.set(folder.path, watched);
      if (folder.path !== '') this.#watched.get(parentFolder(folder.path))?.children.add(lastName(folder.path));
      return true;
    } catch (error) {
      // A folder that cannot be watched for itself is one that cannot be read either, and is listed as such.
      if (!isAbsence(error) && !['EACCES', 'EPERM'].includes(errorCode(error))) this.#giveUp(reasonOf(error));
      return false;
    }
  }

  #detach(path: string): void {
    const watched = this.#watched.get(path);
    if (watched === undefined) return;
    for (const name of watched.children) this.#detach(below({ path }, name));
    watched.watcher.close();
    this.#watched.delete(path);
    this.#watched.get(parentFolder(path))?.children.delete(lastName(path));
  }

  #onEvent(watched: WatchedFolder, type: string, name: string | null): void {
    this.#sender.countEvent();
    if (name === null || name === '.gitignore') this.#sender.rescan();
    if (name === null) return;
    const { folder } = watched;
    if (name === '.git') {
      // A repository begins or ends here, and with it the reach of ignore rules.
      if (type === 'rename') this.#sender.rescan();
      return;
    }
    if (folder.path === '' && type === 'rename') this.#checkRoot();
    if (this.#coverage.scratch.matchesFolderName(name)) return;
    const path = below(folder, name);
    const scratchFile = this.#coverage.scratch.matchesName(name);
    if (!scratchFile) this.#sender.hint(path);
    if (type === 'rename') this.#look(folder, path, name);
  }

  /** Something appeared or went: if it is or was a folder, its watchers must follow. */
  #look(parent: CoveredFolder, path: string, name: string): void {
    const stats = lstatAt(join(this.#coverage.rules.root, path));
    // A folder may have been exchanged for another of the same name, even the same inode: what is known of it is void.
    this.#detach(path);
    if (typeof stats === 'string' || !stats.isDirectory() || this.#failed) return;
    const judged = this.#coverage.judgeFolder(parent, name);
    if (!judged.covered) return;
    this.#sender.hint(path);
    this.#enter(judged.folder, (file, fileName) => this.#found(file, fileName));
  }

  #checkRoot(): void {
    const moved = inodeOf(this.#coverage.rules.root) !== this.#rootInode;
    if (moved) this.#giveUp('the workspace folder was moved or removed');
  }

  #onError(watched: WatchedFolder, error: Error): void {
    const { path } = watched.folder;
    if (path !== '' && lstatAt(join(this.#coverage.rules.root, path)) === 'missing') this.#detach(path);
    else this.#giveUp(reasonOf(error));
  }

  #giveUp(note: string): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#close();
    this.#fail(note);
  }
}

function inodeOf(folder: string): number | null {
  const stats = lstatAt(folder);
  return typeof stats === 'string' || !stats.isDirectory() ? null : stats.ino;
}

export function reasonOf(error: unknown): string {
  switch (errorCode(error)) {
    case 'ENOSPC':
      return 'the system has no more file watches (fs.inotify.max_user_watches)';
    case 'EMFILE':
    case 'ENFILE':
      return 'the system has no more open files or watchers (fs.inotify.max_user_instances)';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
