import { formatUnified } from '@palimpsest/core';
import type { CheckpointDifferenceJson, Client } from '@palimpsest/protocol';
import { clientOf, said } from '../face/client.js';
import type { Face } from '../face/face.js';
import { differencesText } from '../print/checkpoints.js';
import { diffText } from '../print/diff.js';
import type { Said } from './command.js';

/** The difference of two moments: a list of files, or the lines of one when a path is given. */
export async function comparing(face: Face, from: string, to: string, path: string | undefined): Promise<Said> {
  const client = await clientOf(face);
  const query = path === undefined ? { to } : { to, path: face.resolve(path) };
  const answer = said(await client.diffCheckpoints({ params: { checkpoint: from }, query }));
  if (path === undefined || face.format === 'json') {
    return { json: answer, text: (style) => differencesText(answer.files, style) };
  }
  const patches = await Promise.all(answer.files.map((file) => patchOf(client, file)));
  return {
    json: answer,
    text: (style) => patches.map((patch) => diffText(patch, style.paint)).join('\n') || 'no differences',
  };
}

async function patchOf(client: Client, file: CheckpointDifferenceJson): Promise<string> {
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
