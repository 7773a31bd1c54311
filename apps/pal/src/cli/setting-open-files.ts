import type { BodyOf } from '@palimpsest/protocol';
import { clientOf, said } from '../face/client.js';
import type { Face } from '../face/face.js';
import { openFilesChangeText } from '../print/open-files.js';
import type { Answer } from './command.js';

type Act = {
  readonly act: BodyOf<'setOpenFiles'>['act'];
  readonly paths: readonly string[];
  readonly session: string | undefined;
  readonly pins?: true | undefined;
};

/** What `pal open`, `close`, `pin`, `unpin` and `clear` have in common. */
export async function settingOpenFiles(face: Face, { act, paths, session, pins }: Act): Promise<Answer> {
  const client = await clientOf(face);
  const body = { act, session, paths: paths.map((path) => face.resolve(path)), ...(pins ? { pins } : {}) };
  const answer = said(await client.setOpenFiles({ body }));
  return { json: answer, text: (style) => openFilesChangeText(act, answer, style) };
}
