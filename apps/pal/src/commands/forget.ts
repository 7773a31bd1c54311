import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import type { Face } from '../face/face.js';
import { Failure } from '../face/failure.js';
import { forgottenText } from '../print/forgotten.js';

type Given = { readonly text?: string; readonly dryRun?: true };

export const command: CommandFile = {
  summary: 'remove bytes from every place we keep them',
  section: 'Keep',
  details:
    'For secrets: that something happened stays on record; its bytes, and whatever quotes them (prompts, titles, inputs of calls, comments, rejected diffs), do not, and it cannot be taken back any more. A line or word that also stands in something that is kept is not taken for a quote. Your own files and your git repository are not touched.',
  examples: [
    { line: 'pal forget .env --dry-run', does: 'see what would go' },
    { line: 'pal forget .env', does: 'forget all that this file ever held' },
    { line: 'pal forget --text - < key.txt', does: 'forget a text wherever it stands, without it in your history' },
    { line: 'pal forget 4cb29ea38f70d7c61b2a3a25b02e3bdf44905402', does: 'forget one content, wherever it was' },
  ],
  define: (self, act) =>
    self
      .argument('[path|content]', 'a file, or a content id')
      .option('--text <text>', 'a text, in whatever file it is; `-` reads it from standard input')
      .option('--dry-run', 'say what would be done, and do nothing')
      .action(
        act(async (face, given: string | undefined, { text, dryRun }: Given) => {
          const wanted = await wantedOf(face, given, text);
          const client = await clientOf(face);
          const answer = said(await client.forget({ body: { ...wanted, dryRun } }));
          return { json: answer, text: () => forgottenText(answer, dryRun ? 'dry-run' : 'done') };
        }),
      ),
};

async function wantedOf(face: Face, given: string | undefined, text: string | undefined) {
  if ((given === undefined) === (text === undefined))
    throw new Failure(
      'bad-input',
      'name one thing to forget: a path, a content id, or a text',
      '`pal forget --help` shows how it is used',
    );
  if (text !== undefined) return { text: text === '-' ? await face.inputText() : text };
  return { what: /^[0-9a-f]{40}$/.test(given!) ? given! : face.resolve(given!) };
}
