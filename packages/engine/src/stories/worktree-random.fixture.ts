import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What the random test of worktrees holds against: it shares nothing with the product but the disk. Every line that
 * anybody writes is one of a kind, so that it can be said of each where it is and whose it was.
 */
export type Tree = ReadonlyMap<string, string>;

export function treeAt(root: string, folder = ''): Map<string, string> {
  const files = new Map<string, string>();
  for (const name of readdirSync(join(root, folder))) {
    if (name === '.git') continue;
    const path = folder === '' ? name : `${folder}/${name}`;
    if (lstatSync(join(root, path)).isDirectory()) for (const [at, text] of treeAt(root, path)) files.set(at, text);
    else files.set(path, readFileSync(join(root, path), 'utf8'));
  }
  return files;
}

export function linesOf(tree: Tree): ReadonlySet<string> {
  return new Set([...tree.values()].flatMap((text) => text.split('\n')).filter((line) => line !== ''));
}

/** A number generator whose row is told by its seed. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

/** One edit of a text: a new line somewhere, another in the place of one, or one gone. */
export function edited(
  text: string,
  fresh: string,
  random: (below: number) => number,
): { text: string; gone: string[] } {
  const lines = text === '' ? [] : text.split('\n').slice(0, -1);
  const at = random(lines.length + 1);
  const how = lines.length < 4 ? 0 : random(3);
  const gone = how === 0 ? [] : lines.splice(Math.min(at, lines.length - 1), 1);
  if (how !== 2) lines.splice(at, 0, fresh);
  return { text: lines.map((line) => `${line}\n`).join(''), gone };
}
