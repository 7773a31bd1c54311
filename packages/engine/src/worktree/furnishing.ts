import { join } from 'node:path';
import type { WorktreeSettings } from '../basis/settings.js';
import { readIndexFile } from '../git/index-file.js';
import { indexPath, type UserRepository } from '../git/user-repository.js';
import { Carrier, type Sharing } from './carrier.js';
import { listAll, type Stocklist } from './stocklist.js';
import type { Survey } from './survey.js';
import { moveEnvironment } from './virtual-environment.js';
import type { Carried, NotCarried } from './worktree.js';

type Places = {
  readonly from: string;
  readonly to: string;
  /** A folder of ours on the new tree's disk. */
  readonly apart: string;
  readonly settings: WorktreeSettings;
};

/**
 * Brings into a new tree what is not in the kept one. Never by a link: one tree would then write into the other's
 * dependencies.
 */
export class Furnishing {
  readonly carried: Carried[] = [];
  readonly notCarried: NotCarried[] = [];
  readonly #places: Places;
  readonly #carrier: Carrier;
  #copiedBytes = 0;

  constructor(places: Places) {
    this.#places = places;
    this.#carrier = new Carrier(places.from, places.to);
  }

  async besides({ large, named, dependencies }: Survey): Promise<void> {
    for (const path of large) await this.#file(this.#carrier, path, 'large');
    for (const path of named) {
      if (path.endsWith('/')) await this.#folder(path, 'named');
      else await this.#file(this.#carrier, path, 'named');
    }
    for (const path of dependencies) await this.#dependencies(path);
  }

  /** What git tracks above the workspace, as it is on disk. */
  async outside(repository: UserRepository, top: string): Promise<void> {
    const index = await readIndexFile(indexPath(repository));
    const carrier = new Carrier(repository.topLevel, top);
    const lead = `${repository.prefix}/`;
    const above = index.ok
      ? index.value.entries.filter(({ path, mode }) => !path.startsWith(lead) && mode !== '160000')
      : [];
    const paths = new Set(above.filter(({ skipWorktree }) => !skipWorktree).map(({ path }) => path));
    for (const path of paths) await carrier.file(path);
    if (paths.size > 0) this.carried.push({ path: '../', what: 'outside', by: 'copy' });
  }

  async #dependencies(path: string): Promise<void> {
    const { settings, from } = this.#places;
    if (settings.dependencies === 'none') return this.#leave(path, 'setting');
    const stock = await listAll(join(from, path));
    const by = await this.#sharing(path, stock);
    if (by === 'copy' && !isCopied(settings)) return this.#leave(path, 'setting');
    if (by === 'copy') {
      const bytes = this.#copiedBytes + stock.bytes;
      if (settings.dependencies === 'auto' && bytes > settings.copiedBytes) return this.#leave(path, 'too-large');
      this.#copiedBytes = bytes;
    }
    await this.#carry(path, stock, { what: 'dependencies', by });
  }

  async #folder(path: string, what: Carried['what']): Promise<void> {
    const stock = await listAll(join(this.#places.from, path));
    await this.#carry(path, stock, { what, by: await this.#sharing(path, stock) });
  }

  async #carry(path: string, stock: Stocklist, how: Omit<Carried, 'path'>): Promise<void> {
    const { from, to } = this.#places;
    for (const lost of await this.#carrier.folder(path.slice(0, -1), stock)) this.#leave(lost, 'unreadable');
    await moveEnvironment(join(to, path), stock, from, to);
    this.carried.push({ path, ...how });
  }

  async #file(carrier: Carrier, path: string, what: Carried['what']): Promise<void> {
    if (await carrier.file(path)) this.carried.push({ path, what, by: 'copy' });
    else this.#leave(path, 'unreadable');
  }

  #sharing(path: string, stock: Stocklist): Promise<Sharing> {
    const sample = stock.files[0];
    if (sample === undefined) return Promise.resolve('copy');
    return this.#carrier.sharing(`${path}${sample.path}`, this.#places.apart);
  }

  #leave(path: string, reason: NotCarried['reason']): void {
    this.notCarried.push({ path, reason });
  }
}

function isCopied({ dependencies, setup }: WorktreeSettings): boolean {
  return dependencies === 'copy' || (dependencies === 'auto' && setup === '');
}
