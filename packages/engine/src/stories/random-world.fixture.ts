import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Numbers that are the same for the same seed, on every machine. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0 || 1;
  }

  next(): number {
    // A 32-bit xorshift: small, and good enough to shuffle steps.
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    this.#state >>>= 0;
    return this.#state / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}

const NAMES = ['a.txt', 'b.txt', 'src/c.ts', 'src/deep/d.ts', 'with space.md', 'caf\u00e9.txt', 'src/-dash', 'e.json'];

/** A folder whose every written line carries a token of its writer, so that it can be told later whose it is. */
export class World {
  readonly #root: string;
  readonly #chance: Chance;
  #tokens = 0;

  constructor(root: string, chance: Chance) {
    this.#root = root;
    this.#chance = chance;
  }

  anyName(): string {
    return this.#chance.pick(NAMES);
  }

  existing(): string | null {
    const there = NAMES.filter((name) => existsSync(join(this.#root, name)));
    return there.length === 0 ? null : this.#chance.pick(there);
  }

  token(writer: string): string {
    this.#tokens += 1;
    return `${writer}#${this.#tokens}`;
  }

  read(path: string): string {
    return readFileSync(join(this.#root, path), 'utf8');
  }

  has(path: string): boolean {
    return existsSync(join(this.#root, path));
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.#root, path)), { recursive: true });
    writeFileSync(join(this.#root, path), text);
  }

  /** Some change to some file, by somebody; gives the paths that were touched. */
  mess(writer: string): readonly string[] {
    const line = `${this.token(writer)}\n`;
    const path = this.existing();
    const what = path === null ? 0 : this.#chance.below(6);
    if (what === 0 || path === null) {
      const name = this.anyName();
      this.write(name, this.has(name) ? `${line}${this.read(name)}` : line);
      return [name];
    }
    switch (what) {
      case 1:
        rmSync(join(this.#root, path));
        return [path];
      case 2: {
        const to = this.anyName();
        if (to === path || this.has(to)) return [];
        mkdirSync(dirname(join(this.#root, to)), { recursive: true });
        renameSync(join(this.#root, path), join(this.#root, to));
        return [path, to];
      }
      case 3: {
        const lines = this.read(path).split('\n').filter(Boolean);
        lines.splice(this.#chance.below(lines.length + 1), lines.length > 3 ? 1 : 0, line.trim());
        this.write(path, `${lines.join('\n')}\n`);
        return [path];
      }
      default:
        this.write(path, this.read(path) + line);
        return [path];
    }
  }

  /** Every file's text, by path: what a replay of the log must come to. */
  snapshot(): Map<string, string> {
    const files = new Map<string, string>();
    const walk = (folder: string) => {
      for (const entry of readdirSync(join(this.#root, folder), { withFileTypes: true })) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.name === '.git') continue;
        if (entry.isDirectory()) walk(path);
        else files.set(path, this.read(path));
      }
    };
    walk('');
    return files;
  }
}
