import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { counted } from '../../print/amount.js';

export const command: CommandFile = {
  summary: 'begin the list of patches anew; nothing that it listed is removed',
  section: 'Look',
  examples: [{ line: 'pal patches clear --session 7f3a', does: 'that of one session' }],
  define: (self, act) =>
    self.option('--session <id>', 'of this session; the beginning of its id is enough').action(
      act(async (face, { session }: { session?: string }) => {
        const client = await clientOf(face);
        const answer = said(await client.clearPatches({ body: { session } }));
        const text = `${counted(answer.cleared, 'patch', 'patches')} cleared from the list; \`pal changes\` still has them`;
        return { json: answer, text: () => text };
      }),
    ),
};
