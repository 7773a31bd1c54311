import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { Failure } from '../../face/failure.js';
import { counted } from '../../print/amount.js';
import { harmless } from '../../print/harmless.js';

export const command: CommandFile = {
  summary: 'take up a session that was exported',
  section: 'Agents',
  details: 'A folder with task_metadata.json, or with one JSON file per change. Your files are not touched.',
  examples: [
    { line: 'pal session import changes --id 7f3a', does: 'take up what that folder holds as the session 7f3a' },
  ],
  define: (self, act) =>
    self
      .argument('<folder>', 'what was exported')
      .option('--id <id>', 'the session it becomes; the name of the folder without it')
      .action(
        act(async (face, given: string, { id }: { readonly id?: string }) => {
          const folder = face.resolve(given);
          const files = readExport(folder);
          const client = await clientOf(face);
          const answer = said(
            await client.importSession({ params: { session: id ?? basename(folder) }, body: { files: [...files] } }),
          );
          const left =
            answer.misplaced.length === 0 ? '' : `; not of this workspace: ${answer.misplaced.map(harmless).join(' ')}`;
          return { json: answer, text: () => `${counted(answer.taken, 'fact')} taken up${left}` };
        }),
      ),
};

function readExport(folder: string): readonly { readonly name: string; readonly text: string }[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return names.map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  } catch (error) {
    throw new Failure(
      'no-such-file',
      `${folder} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      'name the folder that `pal session export --out` wrote',
    );
  }
}
