import type { WorkspacePath } from '@palimpsest/core';
import { HintBox } from './hint-box.js';
import type { Settled, Watch, WatchMode } from './watch.js';

/** A watch whose events are made by hand, for tests of what is built on one. */
export class ScriptedWatch implements Watch {
  readonly added: WorkspacePath[] = [];
  readonly #box = new HintBox();
  #note: string | null = null;

  get mode(): WatchMode {
    return this.#note === null ? 'events' : 'scanning';
  }

  get note(): string | null {
    return this.#note;
  }

  hint(...paths: WorkspacePath[]): void {
    this.#box.add(paths);
  }

  askForRescan(): void {
    this.#box.askForRescan();
  }

  fail(note: string): void {
    this.#note ??= note;
    this.#box.askForRescan();
  }

  settle(): Promise<Settled> {
    const settled = this.#box.take();
    return Promise.resolve(this.#note === null ? settled : { hints: 'rescan' });
  }

  onHint(listener: () => void): () => void {
    return this.#box.onHint(listener);
  }

  addFolders(folders: readonly WorkspacePath[]): Promise<void> {
    this.added.push(...folders);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.fail('the watch was closed');
    return Promise.resolve();
  }
}
