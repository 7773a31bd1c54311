import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { sessionText } from '../../print/sessions.js';

export const command: CommandFile = {
  summary: 'end a session',
  section: 'Agents',
  details: 'Calls of it that are still open are taken to be lost. Ending twice is the same as once.',
  examples: [{ line: 'pal session end nightly', does: 'end it; its changes stay for review' }],
  define: (self, act) =>
    self.argument('<id>', 'as `pal session list` shows it').action(
      act(async (face, id: string) => {
        const client = await clientOf(face);
        const answer = said(await client.endSession({ params: { session: id } }));
        return { json: answer, text: (style) => sessionText(answer.session, style) };
      }),
    ),
};
