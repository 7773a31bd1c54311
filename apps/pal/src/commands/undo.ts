import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { EXIT } from '../face/failure.js';
import type { Style } from '../print/style.js';
import { undoText } from '../print/verdict.js';

export const command: CommandFile = {
  summary: 'take the last decision back',
  section: 'Keep',
  details:
    'Verdicts, settled conflicts, restores and undos themselves can be undone, also after a restart. Edits made since stay. After a verdict that decided nothing it says first what it would take back; with --json the answer has `afterNothing`.',
  examples: [
    { line: 'pal undo', does: 'take back the last verdict, restore or undo that still stands' },
    { line: 'pal undo --dry-run', does: 'see what that would be' },
  ],
  define: (self, act) =>
    self.option('--dry-run', 'say what would be done, and do nothing').action(
      act(async (face, { dryRun }: { readonly dryRun?: true }) => {
        const client = await clientOf(face);
        if (face.format === 'text' && !dryRun) {
          const planned = said(await client.undo({ body: { dryRun: true } }));
          const text = (style: Style) => `${undoText('undone', planned, 'dry-run', style)}\n${OLDER}`;
          if (planned.afterNothing) return { json: planned, text, exit: EXIT.failed };
        }
        const answer = said(await client.undo({ body: { dryRun } }));
        return { json: answer, text: (style) => undoText('undone', answer, dryRun ? 'dry-run' : 'done', style) };
      }),
    ),
};

const OLDER =
  'nothing was undone: your last verdict decided nothing, and this is an older one\n  → `pal undo` once more takes it back';
