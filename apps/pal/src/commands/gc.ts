import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { bytes as bytesText, counted } from '../print/amount.js';

export const command: CommandFile = {
  summary: 'remove what has served its time from the store',
  section: 'Keep',
  details:
    'Old checkpoints go by age, number and size; pinned ones stay, and so does whatever a pending change or an undo needs.',
  examples: [
    { line: 'pal gc --dry-run', does: 'see what would go' },
    { line: 'pal gc', does: 'free the space' },
  ],
  define: (self, act) =>
    self.option('--dry-run', 'say what would be done, and do nothing').action(
      act(async (face, { dryRun }: { readonly dryRun?: true }) => {
        const client = await clientOf(face);
        const answer = said(await client.collectGarbage({ body: { dryRun } }));
        const { checkpoints, objects, bytes, left, held } = answer;
        const gone = `${counted(checkpoints.length, 'checkpoint')}, ${counted(objects, 'object')}, ${bytesText(bytes)}`;
        return {
          json: answer,
          text: () =>
            held
              ? `nothing goes while a damaged log is set aside, since it may need everything; the store has ${bytesText(left)}\n\`pal status\` says where that log is: when you are done with it, remove it`
              : `${dryRun ? 'would remove' : 'removed'} ${gone}; the store has ${bytesText(left)}`,
        };
      }),
    ),
};
