import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { changesText } from '../../print/changes.js';
import { sessionText } from '../../print/sessions.js';

export const command: CommandFile = {
  summary: 'show one session and what it changed',
  section: 'Agents',
  examples: [{ line: 'pal session show nightly', does: 'its state and all of its changes' }],
  define: (self, act) =>
    self.argument('<id>', 'as `pal session list` shows it').action(
      act(async (face, id: string) => {
        const client = await clientOf(face);
        const { session } = said(await client.getSession({ params: { session: id } }));
        const { changes } = said(await client.listChanges({ query: { session: id, status: 'all' } }));
        const json = { session, changes };
        return {
          json,
          text: (style) =>
            [sessionText(session, style), ...(changes.length === 0 ? [] : ['', changesText(changes, style)])].join(
              '\n',
            ),
        };
      }),
    ),
};
