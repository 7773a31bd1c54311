import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { undoText } from '../print/verdict.js';

export const command: CommandFile = {
  summary: 'take the last decision back',
  section: 'Keep',
  details:
    'Verdicts, settled conflicts, restores and undos themselves can be undone, also after a restart. Edits made since stay.',
  examples: [
    { line: 'pal undo', does: 'take back the last verdict, restore or undo that still stands' },
    { line: 'pal undo --dry-run', does: 'see what that would be' },
  ],
  define: (self, act) =>
    self.option('--dry-run', 'say what would be done, and do nothing').action(
      act(async (face, { dryRun }: { readonly dryRun?: true }) => {
        const client = await clientOf(face);
        const answer = said(await client.undo({ body: dryRun === undefined ? {} : { dryRun } }));
        return { json: answer, text: () => undoText('undone', answer, dryRun ? 'dry-run' : 'done') };
      }),
    ),
};
