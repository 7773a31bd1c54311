import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { commitAll, runGit } from '../../../../test/git.fixture.js';
import type { Chance } from './random-world.fixture.js';

/** The bytes and the mode of every file, taken without any code of ours. */
export type Copy = ReadonlyMap<string, { readonly bytes: Buffer; readonly mode: string }>;

export type FreshTreeOptions = { readonly git: boolean; readonly files: number };

/** A folder that nobody has looked at yet: committed, untracked, ignored and changed files, or just files. */
export class FreshTree {
  readonly root: string;
  readonly #chance: Chance;
  #made = 0;

  constructor(root: string, chance: Chance, { git, files }: FreshTreeOptions) {
    this.root = root;
    this.#chance = chance;
    mkdirSync(root, { recursive: true });
    const counts = git ? [0.4, 0.4, 0.1, 0.1].map((part) => Math.max(1, Math.round(files * part))) : [0, files, 0, 0];
    for (let index = 0; index < counts[0]!; index++) this.#write(this.#newName('kept'));
    if (git) {
      this.#write('.gitignore', 'ign-*\n');
      commitAll(root);
      const tracked = this.paths();
      for (let index = 0; index < counts[3]!; index++) this.#write(chance.pick(tracked));
      if (chance.next() < 0.5) rmSync(join(root, chance.pick(tracked)), { force: true });
    }
    for (let index = 0; index < counts[1]!; index++) this.#write(this.#newName('loose'));
    for (let index = 0; index < counts[2]!; index++) this.#write(this.#newName('ign'));
  }

  git(...args: string[]): void {
    runGit(this.root, args);
  }

  paths(folder = ''): string[] {
    return readdirSync(join(this.root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.name === '.git') return [];
      return entry.isDirectory() ? this.paths(path) : [path];
    });
  }

  folders(folder = ''): string[] {
    return readdirSync(join(this.root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      return entry.name === '.git' || !entry.isDirectory() ? [] : [path, ...this.folders(path)];
    });
  }

  copy(): Copy {
    return new Map(this.paths().map((path) => [path, this.#at(path)]));
  }

  /** Everything that one hasty command may do: at once, or while others get their turn. */
  async act(moves: number, pace: 'at once' | 'in turns' = 'at once'): Promise<void> {
    for (let move = 0; move < moves; move++) {
      this.#move();
      if (pace === 'in turns') await nextTurn();
    }
  }

  #move(): void {
    const paths = this.paths().filter((path) => path !== '.gitignore');
    const folders = this.folders();
    const file = this.#chance.pick(paths);
    const kinds = ['remove', 'remove', 'rename', 'rename', 'over', 'save', 'chmod', 'new', 'folder', 'move', 'clear'];
    const kind = paths.length === 0 ? 'new' : this.#chance.pick(kinds);
    switch (kind) {
      case 'remove':
        rmSync(join(this.root, file));
        break;
      case 'rename':
        this.#rename(file, this.#newName('moved'));
        break;
      case 'over':
        if (!lstatSync(join(this.root, file)).isSymbolicLink()) this.#write(file);
        break;
      case 'save':
        this.#write('.save-draft');
        renameSync(join(this.root, '.save-draft'), join(this.root, file));
        break;
      case 'chmod':
        if (!lstatSync(join(this.root, file)).isSymbolicLink()) chmodSync(join(this.root, file), 0o755);
        break;
      case 'new':
        this.#write(this.#newName('new'));
        break;
      case 'folder':
        for (const name of ['a', 'b', 'c']) this.#write(`made-${this.#made}/${name}`);
        this.#made += 1;
        break;
      case 'move':
        if (folders.length > 0) this.#rename(this.#chance.pick(folders), `went-${this.#made++}`);
        break;
      case 'clear':
        if (folders.length > 0 && this.#chance.next() < 0.3)
          rmSync(join(this.root, this.#chance.pick(folders)), { recursive: true });
        break;
    }
  }

  #rename(from: string, to: string): void {
    mkdirSync(dirname(join(this.root, to)), { recursive: true });
    renameSync(join(this.root, from), join(this.root, to));
  }

  #newName(kind: string): string {
    const depth = this.#chance.below(3);
    const folder = Array.from({ length: depth }, () => `d${this.#chance.below(6)}/`).join('');
    return `${folder}${kind}-${this.#made++}`;
  }

  /** No two files are alike, so that what became of each can be told. */
  #write(path: string, text?: string): void {
    const place = join(this.root, path);
    mkdirSync(dirname(place), { recursive: true });
    if (text === undefined && lstatSync(place, { throwIfNoEntry: false }) === undefined && this.#chance.next() < 0.03) {
      symlinkSync(`nowhere-${this.#made++}`, place);
      return;
    }
    const lines = 1 + this.#chance.below(this.#chance.next() < 0.1 ? 400 : 12);
    const body = Array.from({ length: lines }, (_, line) => `${path} ${this.#made} ${line} ${this.#chance.next()}`);
    this.#made += 1;
    rmIfLink(place);
    writeFileSync(place, text ?? `${body.join('\n')}\n`);
  }

  #at(path: string): { readonly bytes: Buffer; readonly mode: string } {
    const place = join(this.root, path);
    const stats = lstatSync(place);
    if (stats.isSymbolicLink()) return { bytes: Buffer.from(readlinkSync(place)), mode: '120000' };
    return { bytes: readFileSync(place), mode: (stats.mode & 0o100) === 0 ? '100644' : '100755' };
  }
}

/** Paths at which two copies are not the same. */
export function differingPaths(a: Copy, b: Copy): readonly string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((path) => {
    const [one, other] = [a.get(path), b.get(path)];
    return one === undefined || other === undefined || one.mode !== other.mode || !one.bytes.equals(other.bytes);
  });
}

function rmIfLink(place: string): void {
  if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true) rmSync(place);
}
