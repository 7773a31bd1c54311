import { type Outcome, ok } from '@palimpsest/core';
import type { ObjectId, ObjectType } from './object-id.js';
import { PACKING_LIMIT_MS } from './repack.js';
import type { Git, GitError } from './run.js';

const OUTPUT_LIMIT_BYTES = 1024 * 1024 * 1024;

/** What each object is, in a process of its own and of low priority, so that nobody's question to git waits behind these. */
export async function typesOf(
  git: Git,
  gitDir: string,
  ids: readonly ObjectId[],
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Outcome<ReadonlyMap<ObjectId, ObjectType>, GitError>> {
  const found = new Map<ObjectId, ObjectType>();
  if (ids.length === 0) return ok(found);
  const told = await git.run({
    gitDir,
    args: ['cat-file', '--batch-check=%(objectname) %(objecttype)'],
    stdin: Buffer.from(ids.map((id) => `${id}\n`).join('')),
    timeoutMs: PACKING_LIMIT_MS,
    outputLimitBytes: OUTPUT_LIMIT_BYTES,
    priority: 'background',
    ...(signal && { signal }),
  });
  if (!told.ok) return told;
  for (const [, id = '', type] of told.value.toString('latin1').matchAll(/^([0-9a-f]{40}) (blob|tree|commit|tag)$/gm))
    found.set(id, type as ObjectType);
  return ok(found);
}
