import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { asContentId, type FileMode, trustPath } from '@palimpsest/core';
import type { ContentHash, ExpectedFile, NextFile, Rescue, WriteOptions } from './disk.js';
import { openDisk } from './real-disk.js';

export const hash: ContentHash = (bytes) =>
  asContentId(createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex'));
export const bytes = (text: string) => new TextEncoder().encode(text);
export const was = (text: string, mode: FileMode = '100644'): ExpectedFile => ({ content: hash(bytes(text)), mode });
export const be = (text: string, mode: FileMode = '100644'): NextFile => ({ bytes: bytes(text), mode });

export function write(
  root: string,
  path: string,
  expected: ExpectedFile | null,
  next: NextFile | null,
  options?: WriteOptions,
) {
  return openDisk(root).write(trustPath(path), expected, next, hash, options);
}

/** A store that takes everything, and forgets it. */
export const KEPT: Rescue = { keep: async () => true, left: () => undefined };

export async function code(written: ReturnType<typeof write>): Promise<string> {
  const outcome = await written;
  return outcome.ok ? 'ok' : outcome.error.code;
}

/** Everything below a folder as `path=content`, with links as `path>target`. */
export function shown(root: string, at = ''): string[] {
  return readdirSync(join(root, at), { withFileTypes: true })
    .flatMap((entry) => {
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.isSymbolicLink()) return [`${path}>${readlinkSync(join(root, path))}`];
      return entry.isDirectory()
        ? [`${path}/`, ...shown(root, path)]
        : [`${path}=${readFileSync(join(root, path), 'utf8')}`];
    })
    .sort();
}
