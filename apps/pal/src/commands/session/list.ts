import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { sessionsText } from '../../print/sessions.js';

export const command: CommandFile = {
  summary: 'list the sessions of the workspace',
  section: 'Agents',
  examples: [{ line: 'pal session list', does: 'all of them, oldest first' }],
  define: (self, act) =>
    self.action(
      act(async (face) => {
        const client = await clientOf(face);
        const answer = said(await client.listSessions());
        return {
          json: answer,
          text: (style) => (answer.sessions.length === 0 ? NONE : sessionsText(answer.sessions, style)),
        };
      }),
    ),
};

const NONE = 'no sessions yet: `pal run -- COMMAND` or `pal session start` makes one';
