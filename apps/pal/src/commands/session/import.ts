import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { Failure } from '../../face/failure.js';
import { counted } from '../../print/amount.js';
import { harmless } from '../../print/harmless.js';

export const command: CommandFile = {
  summary: 'take up a session that was exported',
  section: 'Agents',
  details:
    'A task folder of Roo or Cline, or a folder with one JSON file per change. The folder and your files are not touched. A file that is damaged or empty is named, and its bytes are kept. A folder that is taken up again brings only what is new.',
  examples: [
    { line: 'pal session import ~/tasks/1767000000000', does: 'a task of Roo or Cline, with all that was said' },
    { line: 'pal session import changes --id 7f3a', does: 'take up what that folder holds as the session 7f3a' },
  ],
  define: (self, act) =>
    self
      .argument('<folder>', 'what was exported')
      .option('--id <id>', 'the session it becomes; the name of the folder without it')
      .action(
        act(async (face, given: string, { id }: { readonly id?: string }) => {
          const folder = face.resolve(given);
          checkFolder(folder);
          const client = await clientOf(face);
          const session = id ?? basename(folder);
          const answer = said(await client.importSession({ params: { session }, body: { folder } }));
          const { messages, known = 0, damaged = [], taken, misplaced } = answer;
          const count = (messages?.model ?? 0) + (messages?.human ?? 0);
          const lines = [
            ...(messages === undefined
              ? []
              : [
                  `${counted(count, 'message')} taken up as session ${session}${known === 0 ? '' : `, ${known} were here already`}`,
                ]),
            ...(messages === undefined || taken > 0 ? [`${counted(taken, 'fact')} taken up`] : []),
            ...(misplaced.length === 0 ? [] : [`not of this workspace: ${misplaced.join(' ')}`]),
            ...damaged.map(({ name, why }) => `${name} is ${why}: nothing was taken from it, its bytes are kept`),
          ];
          return { json: answer, text: () => lines.map(harmless).join('\n') };
        }),
      ),
};

function checkFolder(folder: string): void {
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (stat?.isDirectory() === true) return;
  throw new Failure(
    'no-such-file',
    `${folder} is no folder`,
    'name a task folder, or one that `pal session export --out` wrote',
  );
}
