import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import { isAbsence } from '../files/system-error.js';
import type { UserRepository } from './user-repository.js';

/** A line holds two ids, a name and a short message. */
const LINE_LIMIT_BYTES = 16 * 1024;
const CAUSES = new Set('commit checkout merge rebase reset pull cherry-pick revert am clone branch'.split(' '));

/** What git calls the last thing that moved HEAD in this working tree; null when git keeps no such log here. */
export async function lastMoveOfHead({ gitDir }: UserRepository): Promise<string | null> {
  const tail = await readTail(join(gitDir, 'logs', 'HEAD'));
  if (tail === null) return null;
  // What follows the last newline is a line that git has not finished writing.
  const line = tail.slice(0, tail.lastIndexOf('\n')).split('\n').at(-1) ?? '';
  const match = line.match(/^[0-9a-f]{40} [0-9a-f]{40} .*> \d+ [+-]\d{4}(?:\t(.*))?$/s);
  return match === null ? null : causeOf(match[1] ?? '');
}

/** `pull --rebase (start): …`, `commit (amend): …`, `merge topic: …`: the first word says it. */
function causeOf(message: string): string {
  const word = message.match(/^[a-z-]+/i)?.[0].toLowerCase() ?? '';
  if (word === 'initial') return 'pull';
  return CAUSES.has(word) ? word : 'other';
}

async function readTail(path: string): Promise<string | null> {
  try {
    const stat = await fs.stat(path);
    if (!stat.isFile() || stat.size === 0) return null;
    const handle = await fs.open(path, 'r');
    try {
      const length = Math.min(stat.size, LINE_LIMIT_BYTES);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, stat.size - length);
      return buffer.subarray(0, bytesRead).toString('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}
