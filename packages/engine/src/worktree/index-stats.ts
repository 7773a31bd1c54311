import { createHash } from 'node:crypto';
import type { IndexEntry, ParsedIndex } from '../git/index-file.js';

/** Times, device and inode; then, after the mode, owner, group and size. */
const STAT_BEFORE_MODE = [0, 24] as const;
const STAT_AFTER_MODE = [28, 40] as const;
const ID_BYTES = 20;
const EXTENSION_HEADER_BYTES = 8;
/** The trees of the entries and the conflicts that were resolved. All others speak of a folder, or of places in the file. */
const KEPT_EXTENSIONS = new Set(['TREE', 'REUC']);

/**
 * The user's index for another folder: what is staged stays as it is, and each file that has the staged bytes gets the
 * stat of the file that was written there, so that git need not read it. Of all others the stat is cleared, and git
 * looks at them itself, with the user's own filters. `writtenAt` leads from a path of the user's index to the one in
 * `written`; null for what was not written.
 */
export function indexFor(user: ParsedIndex, written: ParsedIndex, writtenAt: (path: string) => string | null): Buffer {
  const bytes = Buffer.from(user.bytes);
  const stats = new Map(written.entries.map((entry) => [entry.path as string, entry]));
  for (const entry of user.entries) {
    const path = entry.stage === 0 ? writtenAt(entry.path) : null;
    const found = path === null ? undefined : stats.get(path);
    for (const [from, to] of [STAT_BEFORE_MODE, STAT_AFTER_MODE]) {
      if (found !== undefined && isSame(entry, found))
        written.bytes.copy(bytes, entry.at + from, found.at + from, found.at + to);
      else bytes.fill(0, entry.at + from, entry.at + to);
    }
  }
  return sealed(withoutPlaces(bytes, user.end));
}

function isSame(entry: IndexEntry, written: IndexEntry): boolean {
  return entry.oid === written.oid && entry.mode === written.mode && !entry.skipWorktree;
}

function withoutPlaces(bytes: Buffer, start: number): Buffer {
  const parts = [bytes.subarray(0, start)];
  const end = bytes.length - ID_BYTES;
  for (let at = start; at + EXTENSION_HEADER_BYTES <= end; ) {
    const next = at + EXTENSION_HEADER_BYTES + bytes.readUInt32BE(at + 4);
    if (KEPT_EXTENSIONS.has(bytes.toString('latin1', at, at + 4))) parts.push(bytes.subarray(at, next));
    at = next;
  }
  return Buffer.concat(parts);
}

/** Git compares the sum at its end when it checks a repository. */
function sealed(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, createHash('sha1').update(bytes).digest()]);
}
