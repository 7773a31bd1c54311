import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { staleText } from '../print/stale.js';

export const command: CommandFile = {
  summary: 'show what sessions have seen of files, and whether it is still so',
  section: 'Look',
  details: 'LINES are those of the present file that the session has seen as they are now.',
  examples: [
    { line: 'pal stale', does: 'for all sessions' },
    { line: 'pal stale --session S --json', does: 'for one, for a program' },
  ],
  define: (self, act) =>
    self.option('--session <id>', 'of this session').action(
      act(async (face, { session }: { session?: string }) => {
        const client = await clientOf(face);
        if (session !== undefined) said(await client.getSession({ params: { session } }));
        const { files } = said(await client.listStale({ query: session === undefined ? {} : { session } }));
        return { json: { files }, text: (style) => staleText(files, style) };
      }),
    ),
};
