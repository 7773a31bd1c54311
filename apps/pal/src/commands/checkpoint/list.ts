import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { checkpointsText } from '../../print/checkpoints.js';

export const command: CommandFile = {
  summary: 'list checkpoints, oldest first',
  section: 'Keep',
  examples: [{ line: 'pal checkpoint list --session 7f3a', does: 'those of one session' }],
  define: (self, act) =>
    self.option('--session <id>', 'of this session').action(
      act(async (face, { session }: { readonly session?: string }) => {
        const client = await clientOf(face);
        const answer = said(await client.listCheckpoints({ query: session === undefined ? {} : { session } }));
        return { json: answer, text: (style) => checkpointsText(answer.checkpoints, style) };
      }),
    ),
};
