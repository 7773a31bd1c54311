import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { blobId } from './photograph.js';
import { must } from './violation.js';
import type { World } from './world.js';

/** What is nobody's business of ours: the folders beside the workspace, the home, and the user's git. */
export class Outside {
  readonly #world: World;
  #beside: string;
  #git: string;

  constructor(world: World) {
    this.#world = world;
    this.#beside = this.#listBeside();
    this.#git = this.#listGit();
  }

  /** The oracle's own git has just run. */
  gitMoved(): void {
    this.#git = this.#listGit();
  }

  check(): void {
    const beside = this.#listBeside();
    must(beside === this.#beside, 4, () => `beside the workspace: ${firstDifference(this.#beside, beside)}`);
    this.checkGit();
  }

  checkGit(): void {
    const git = this.#listGit();
    must(git === this.#git, 4, () => `in the user’s git: ${firstDifference(this.#git, git)}`);
  }

  #listBeside(): string {
    return [...listing(this.#world.beside), ...listing(this.#world.home)].join('\n');
  }

  #listGit(): string {
    const folder = gitFolder(this.#world.root);
    return folder === null ? '' : listing(folder).join('\n');
  }
}

function gitFolder(root: string): string | null {
  for (let folder = root; folder !== '/'; folder = join(folder, '..')) {
    const place = join(folder, '.git');
    if (!existsSync(place)) continue;
    if (statSync(place).isDirectory()) return place;
    const link = /^gitdir: (.+)$/m.exec(readFileSync(place, 'utf8'))?.[1];
    // The repository that a linked worktree belongs to.
    return link === undefined ? null : join(link, '..', '..');
  }
  return null;
}

/** Every name, with what it holds; objects of git by name alone, because their names are their bytes. */
function listing(folder: string): readonly string[] {
  if (!existsSync(folder)) return [`${folder} is not there`];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const place = join(folder, entry.name);
    if (entry.isDirectory()) return [place, ...listing(place)];
    if (entry.isSymbolicLink()) return [`${place} -> ${readlinkSync(place)}`];
    if (!entry.isFile() || place.includes('/objects/')) return [place];
    return [`${place} ${lstatSync(place).mode} ${blobId(readFileSync(place))}`];
  });
}

function firstDifference(before: string, after: string): string {
  const old = new Set(before.split('\n'));
  const fresh = new Set(after.split('\n'));
  const gone = [...old].filter((line) => !fresh.has(line));
  const come = [...fresh].filter((line) => !old.has(line));
  return `gone: ${gone.slice(0, 4).join(', ')}; come: ${come.slice(0, 4).join(', ')}`;
}
