import { isAbsolute, join, resolve } from 'node:path';
import { readBounded } from './bounded-read.js';

const ALTERNATES_LIMIT_BYTES = 256 * 1024;
/** Git itself follows borrowing from borrowers no deeper than this. */
const DEPTH_LIMIT = 5;

export function alternatesPath(objectsDir: string): string {
  return join(objectsDir, 'info', 'alternates');
}

/** The given directories and all that they borrow from, nearest first, each once. */
export async function withAlternates(objectsDirs: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  let level = objectsDirs;
  for (let depth = 0; depth <= DEPTH_LIMIT && level.length > 0; depth++) {
    const next: string[] = [];
    for (const directory of level) {
      if (found.has(directory)) continue;
      found.add(directory);
      const file = await readBounded(alternatesPath(directory), ALTERNATES_LIMIT_BYTES);
      if (file.kind === 'read') next.push(...parseAlternates(file.bytes.toString('utf8'), directory));
    }
    level = next;
  }
  return [...found];
}

export function parseAlternates(text: string, objectsDir: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => (line.startsWith('"') ? unquote(line) : line))
    .map((path) => (isAbsolute(path) ? path : resolve(objectsDir, path)));
}

export function formatAlternates(directories: readonly string[]): string {
  return directories.map((path) => `${/^[#"]|[\n\\"]/.test(path) ? quote(path) : path}\n`).join('');
}

/** Git's C style: needed for a path with a newline, or one that starts like a comment or a quote. */
function quote(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}

function unquote(line: string): string {
  const bytes: number[] = [];
  const body = Buffer.from(line.slice(1).replace(/"$/, ''), 'utf8').toString('latin1');
  for (const [, octal, letter, plain] of body.matchAll(/\\([0-7]{3})|\\(.)|([^\\])/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined) bytes.push((ESCAPES[letter] ?? letter).charCodeAt(0));
    else bytes.push((plain ?? '').charCodeAt(0));
  }
  return Buffer.from(bytes).toString('utf8');
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };
