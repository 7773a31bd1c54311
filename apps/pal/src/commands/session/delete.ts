import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { harmless } from '../../print/harmless.js';

export const command: CommandFile = {
  summary: 'remove a session from the list',
  section: 'Agents',
  details: 'Its changes stay: they are the history of the files, not of the session.',
  examples: [{ line: 'pal session delete nightly', does: 'forget the session, keep what it changed' }],
  define: (self, act) =>
    self.argument('<id>', 'as `pal session list` shows it').action(
      act(async (face, id: string) => {
        const client = await clientOf(face);
        const answer = said(await client.deleteSession({ params: { session: id } }));
        return {
          json: answer,
          text: ({ paint }) => `deleted ${paint.name(harmless(answer.session.id))}; its changes stay`,
        };
      }),
    ),
};
