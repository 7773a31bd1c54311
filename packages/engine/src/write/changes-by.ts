import type { FileChange } from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import type { KnownTree } from '../store/known-tree.js';
import { measure } from '../store/measure.js';
import type { FileWrite } from './file-write.js';

/** What the log says of these writes. */
export async function changesBy(
  writes: readonly FileWrite[],
  content: Pick<ContentStore, 'get'>,
  known: Pick<KnownTree, 'get'>,
): Promise<readonly FileChange[]> {
  const changes: FileChange[] = [];
  const sources = new Map(writes.map((write) => [write.path, write.expected]));
  const moved = new Set(writes.map((write) => write.movedFrom));
  for (const { path, expected, next, movedFrom: from } of writes) {
    if (next === null && moved.has(path)) continue;
    // It was removed, and another file has the name that it had then.
    const staysThere = from !== undefined && !sources.has(from) && known.get(from) !== null;
    const movedFrom = staysThere ? undefined : from;
    const before = movedFrom === undefined ? expected : (sources.get(movedFrom) ?? null);
    const change = { path, before, after: next, ...(await measure(content, before, next)) };
    changes.push(movedFrom === undefined ? change : { ...change, fromPath: movedFrom });
  }
  return changes;
}
