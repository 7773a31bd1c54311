import { clientOf, said } from '../face/client.js';
import type { Face } from '../face/face.js';
import { patchOf } from '../face/patch.js';
import { differencesText } from '../print/checkpoints.js';
import { binaryText, diffText } from '../print/diff.js';
import type { Said } from './command.js';

/** The difference of two moments: a list of files, or the lines of one when a path is given. */
export async function comparing(face: Face, from: string, to: string, path: string | undefined): Promise<Said> {
  const client = await clientOf(face);
  const query = { to, path: path === undefined ? undefined : face.resolve(path) };
  const answer = said(await client.diffCheckpoints({ params: { checkpoint: from }, query }));
  if (path === undefined || face.format === 'json') {
    return { json: answer, text: (style) => differencesText(answer.files, style) };
  }
  const patches = await Promise.all(
    answer.files.map(async (file) => (file.binary ? binaryText(file) : patchOf(client, file))),
  );
  return {
    json: answer,
    pages: true,
    verbatim: true,
    text: (style) => patches.map((patch) => diffText(patch, style.paint)).join('\n') || 'no differences',
  };
}
