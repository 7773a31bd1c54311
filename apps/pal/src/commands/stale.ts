import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { sessionNamed } from '../face/session-named.js';
import { staleText } from '../print/stale.js';

export const command: CommandFile = {
  summary: 'show what sessions have seen of files, and whether it is still so',
  section: 'Look',
  details: 'LINES are those of the present file that the session has seen as they are now.',
  examples: [
    { line: 'pal stale', does: 'for all sessions that run' },
    { line: 'pal stale --session S --json', does: 'for one, for a program' },
  ],
  define: (self, act) =>
    self.option('--session <id>', 'of this session, also when it has ended').action(
      act(async (face, { session }: { session?: string }) => {
        const client = await clientOf(face);
        const query = session === undefined ? {} : { session: await sessionNamed(client, session) };
        if (query.session !== undefined) said(await client.getSession({ params: { session: query.session } }));
        const { files } = said(await client.listStale({ query }));
        return { json: { files }, text: (style) => staleText(files, style) };
      }),
    ),
};
