import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { patchesText } from '../../print/patches.js';

export const command: CommandFile = {
  summary: 'list the latest patches, newest first',
  section: 'Look',
  examples: [{ line: 'pal patches list --session 7f3a', does: 'those of one session' }],
  define: (self, act) =>
    self.option('--session <id>', 'of this session; the beginning of its id is enough').action(
      act(async (face, { session }: { session?: string }) => {
        const client = await clientOf(face);
        const answer = said(await client.listPatches({ query: { session } }));
        const rest = answer.beyond ? 'more' : 'all';
        return { json: answer, text: (style) => patchesText(answer.patches, rest, style) };
      }),
    ),
};
