import { formatUnified } from '@palimpsest/core';
import type { CheckpointDifferenceJson, Client } from '@palimpsest/protocol';
import { said } from './client.js';

/** One file of a checkpoint's difference as a unified diff; the bytes are fetched by content id. */
export async function patchOf(client: Client, file: CheckpointDifferenceJson): Promise<string> {
  const side = async (name: string, version: CheckpointDifferenceJson['before']) =>
    version === null
      ? null
      : {
          path: name,
          bytes: said(await client.getContent({ params: { content: version.content } })),
          mode: version.mode,
        };
  const before = await side(file.fromPath ?? file.path, file.before);
  const after = await side(file.path, file.after);
  return new TextDecoder().decode(formatUnified(before, after));
}
