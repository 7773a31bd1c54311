import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { undoText } from '../print/verdict.js';

export const command: CommandFile = {
  summary: 'do again what was last undone',
  section: 'Keep',
  details: 'Until a new decision is taken.',
  examples: [
    { line: 'pal redo', does: 'bring back what `pal undo` took' },
    { line: 'pal redo --dry-run', does: 'see what that would be' },
  ],
  define: (self, act) =>
    self.option('--dry-run', 'say what would be done, and do nothing').action(
      act(async (face, { dryRun }: { readonly dryRun?: true }) => {
        const client = await clientOf(face);
        const answer = said(await client.redo({ body: { dryRun } }));
        return { json: answer, text: (style) => undoText('redone', answer, dryRun ? 'dry-run' : 'done', style) };
      }),
    ),
};
