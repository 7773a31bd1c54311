import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { sessionText } from '../../print/sessions.js';

export const command: CommandFile = {
  summary: 'give a session another title',
  section: 'Agents',
  examples: [{ line: "pal session rename 7f3a 'fix the login'", does: 'name it for people; its id stays' }],
  define: (self, act) =>
    self
      .argument('<id>', 'as `pal session list` shows it')
      .argument('<title>', 'what it is about')
      .action(
        act(async (face, id: string, title: string) => {
          const client = await clientOf(face);
          const answer = said(await client.renameSession({ params: { session: id }, body: { title } }));
          return { json: answer, text: (style) => sessionText(answer.session, style) };
        }),
      ),
};
