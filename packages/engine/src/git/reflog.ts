import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './durable.js';
import { isObjectId, type ObjectId } from './object-id.js';
import type { UserRepository } from './user-repository.js';

export type HeadCause =
  | 'commit'
  | 'checkout'
  | 'merge'
  | 'rebase'
  | 'reset'
  | 'pull'
  | 'cherry-pick'
  | 'revert'
  | 'am'
  | 'clone'
  | 'branch'
  | 'other';

/** One move of HEAD, as git wrote it down. Null ids stand for "nothing". */
export type ReflogEntry = {
  readonly before: ObjectId | null;
  readonly after: ObjectId | null;
  readonly cause: HeadCause;
  readonly message: string;
  readonly timeMs: number;
};

/** A line holds two ids, a name and a short message. */
const LINE_LIMIT_BYTES = 16 * 1024;
const NOTHING = '0'.repeat(40);

/** The latest move of HEAD in this working tree; null when git keeps no such log here. */
export async function lastReflogEntry({ gitDir }: UserRepository): Promise<ReflogEntry | null> {
  const tail = await readTail(join(gitDir, 'logs', 'HEAD'));
  if (tail === null) return null;
  // What follows the last newline is a line that git has not finished writing.
  const lines = tail.slice(0, tail.lastIndexOf('\n')).split('\n');
  return parseReflogLine(lines.at(-1) ?? '');
}

export function parseReflogLine(line: string): ReflogEntry | null {
  const tab = line.indexOf('\t');
  const head = tab < 0 ? line : line.slice(0, tab);
  const message = tab < 0 ? '' : line.slice(tab + 1);
  const match = head.match(/^([0-9a-f]{40}) ([0-9a-f]{40}) .*> (\d+) [+-]\d{4}$/);
  if (match === null) return null;
  const [, before = '', after = '', seconds = ''] = match;
  return {
    before: idOrNull(before),
    after: idOrNull(after),
    cause: causeOf(message),
    message,
    timeMs: Number(seconds) * 1000,
  };
}

/** `pull --rebase (start): …`, `commit (amend): …`, `merge topic: …`: the first word says it. */
function causeOf(message: string): HeadCause {
  const word = message.match(/^[a-z-]+/i)?.[0].toLowerCase() ?? '';
  switch (word) {
    case 'commit':
    case 'checkout':
    case 'merge':
    case 'rebase':
    case 'reset':
    case 'pull':
    case 'cherry-pick':
    case 'revert':
    case 'am':
    case 'clone':
      return word;
    case 'branch':
      return 'branch';
    case 'initial':
      return 'pull';
    default:
      return 'other';
  }
}

function idOrNull(text: string): ObjectId | null {
  return isObjectId(text) && text !== NOTHING ? text : null;
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
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}
