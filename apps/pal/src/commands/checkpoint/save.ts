import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { checkpointText } from '../../print/checkpoints.js';

type Given = { readonly message?: string; readonly session?: string };

export const command: CommandFile = {
  summary: 'save the whole tree as it is now',
  section: 'Keep',
  details: 'It costs what changed since the last one. Agents’ sessions, prompts and writing calls save by themselves.',
  examples: [{ line: 'pal checkpoint save -m "before the refactoring"', does: 'save a moment to come back to' }],
  define: (self, act) =>
    self
      .option('-m, --message <text>', 'what it is for')
      .option('--session <id>', 'the session it belongs to')
      .action(
        act(async (face, { message, session }: Given) => {
          const client = await clientOf(face);
          const answer = said(await client.saveCheckpoint({ body: { message, session } }));
          return { json: answer, text: (style) => checkpointText('saved', answer.checkpoint, style) };
        }),
      ),
};
