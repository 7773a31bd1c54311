import { randomBytes } from 'node:crypto';
import { closeSync, openSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { WorkspacePath } from '@palimpsest/core';
import { isAbsence } from '../files/system-error.js';
import { type CoverageRules, packRules, splitPaths } from '../tree/coverage-rules.js';
import { HintBox } from './hint-box.js';
import { SETTLE_LIMIT_MS } from './limits.js';
import type { Settled, Watch, WatchMode } from './watch.js';
import type { FromWatchWorker, ToWatchWorker, WatchStart, WatchStyle } from './watch-messages.js';

type WatchOptions = {
  readonly rules: CoverageRules;
  /** An existing folder of ours on a disk that reports events, outside the workspace. */
  readonly cookieFolder: string;
  readonly style?: WatchStyle;
  readonly settleLimitMs?: number;
  /** Told once, before the watch is ready, which files were there when watching began; not every system says so. */
  readonly onNames?: (paths: readonly string[]) => void;
};

/** Resolves when every covered folder is watched, or when it is clear that scanning has to do. */
export async function openWatch(options: WatchOptions): Promise<Watch> {
  const watch = new DirectoryWatch(options);
  await watch.ready();
  return watch;
}

class DirectoryWatch implements Watch {
  readonly #ready: Promise<void>;
  readonly #box = new HintBox();
  readonly #worker: Worker;
  readonly #cookieFolder: string;
  readonly #cookiePrefix = `settle-${randomBytes(6).toString('hex')}-`;
  readonly #settleLimitMs: number;
  /** What waits for a message of the worker: cookies, added folders, and readiness. */
  readonly #waiting = new Map<string, () => void>();
  readonly #onNames: WatchOptions['onNames'];
  #lastId = 0;
  #note: string | null = null;

  constructor(options: WatchOptions) {
    this.#cookieFolder = options.cookieFolder;
    this.#onNames = options.onNames;
    this.#settleLimitMs = options.settleLimitMs ?? SETTLE_LIMIT_MS;
    const start: WatchStart = {
      rules: packRules(options.rules),
      cookieFolder: this.#cookieFolder,
      cookiePrefix: this.#cookiePrefix,
      style: options.style ?? (process.platform === 'linux' ? 'folders' : 'recursive'),
      names: options.onNames !== undefined,
    };
    // Threads run compiled code only; this path leads there from the sources and from the compiled code alike. The
    // options that the program was started with are not meant for them.
    const threadOptions = { workerData: start, execArgv: [] };
    this.#worker = new Worker(new URL('../../dist/watch/watch-worker.js', import.meta.url), threadOptions);
    this.#ready = this.#wait('ready');
    this.#worker.on('message', (message: FromWatchWorker) => this.#onMessage(message));
    this.#worker.on('error', (error) => this.#degrade(error.message));
    this.#worker.on('exit', () => this.#degrade('the watching thread ended'));
  }

  async ready(): Promise<void> {
    await this.#ready;
    // Watching alone must not keep a program from ending.
    this.#worker.unref();
  }

  get mode(): WatchMode {
    return this.#note === null ? 'events' : 'scanning';
  }

  get note(): string | null {
    return this.#note;
  }

  async settle(): Promise<Settled> {
    const proven = this.#note === null && (await this.#cookieReturns());
    const settled = this.#box.take();
    if (proven && this.#note === null) return settled;
    // The worker counts events from cookie to cookie. After one that came late or never, the next answer cannot rest
    // on its count either.
    if (this.#note === null) this.#box.askForRescan();
    return { hints: 'rescan' };
  }

  onHint(listener: () => void): () => void {
    return this.#box.onHint(listener);
  }

  async addFolders(folders: readonly WorkspacePath[]): Promise<void> {
    if (this.#note !== null || folders.length === 0) return;
    const message: ToWatchWorker = { kind: 'add', id: ++this.#lastId, folders };
    const added = this.#wait(`added ${message.id}`);
    this.#worker.ref();
    this.#worker.postMessage(message);
    await added;
    this.#worker.unref();
  }

  async close(): Promise<void> {
    this.#degrade('the watch was closed');
    await this.#worker.terminate();
  }

  /** False when the proof did not come in time; then a scan has to do instead. */
  async #cookieReturns(): Promise<boolean> {
    const cookie = ++this.#lastId;
    const file = join(this.#cookieFolder, `${this.#cookiePrefix}${cookie}`);
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), this.#settleLimitMs);
    });
    const returned = this.#wait(`settled ${cookie}`).then(() => true as const);
    try {
      closeSync(openSync(file, 'w'));
      return await Promise.race([returned, tooLate]);
    } catch {
      // The folder for cookies is full or gone. Without proof a scan is the right answer, and it is what false means.
      return false;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(`settled ${cookie}`);
      removeIfThere(file);
    }
  }

  #onMessage(message: FromWatchWorker): void {
    switch (message.kind) {
      case 'ready':
        if (message.names !== null) this.#onNames?.(splitPaths(message.names));
        this.#answer('ready');
        break;
      case 'hints':
        this.#box.add(splitPaths(message.paths));
        break;
      case 'rescan':
        this.#box.askForRescan();
        break;
      case 'settled':
        this.#answer(`settled ${message.cookie}`);
        break;
      case 'added':
        this.#answer(`added ${message.id}`);
        break;
      case 'failed':
        this.#degrade(message.note);
        break;
    }
  }

  /** From here on there are no events; nobody may wait for one. */
  #degrade(note: string): void {
    if (this.#note !== null) return;
    this.#note = note;
    this.#box.askForRescan();
    for (const resolve of this.#waiting.values()) resolve();
    this.#waiting.clear();
  }

  #wait(what: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(what, resolve));
  }

  #answer(what: string): void {
    this.#waiting.get(what)?.();
    this.#waiting.delete(what);
  }
}

/** Twice for every tool call, which is why it is not left to `rmSync`, which looks at the file first. */
function removeIfThere(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
}
