import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { sessionNamed } from '../../face/session-named.js';
import { sessionText } from '../../print/sessions.js';
import { timelineText } from '../../print/timeline.js';

export const command: CommandFile = {
  summary: 'show one session as it went: prompts, answers, calls and their changes',
  section: 'Agents',
  examples: [{ line: 'pal session show nightly', does: 'its state, and all that was said and done in it' }],
  define: (self, act) =>
    self.argument('<id>', 'as `pal session list` shows it').action(
      act(async (face, id: string) => {
        const client = await clientOf(face);
        const params = { session: await sessionNamed(client, id) };
        const { session } = said(await client.getSession({ params }));
        const { changes } = said(await client.listChanges({ query: { session: session.id, status: 'all' } }));
        const { entries } = said(await client.getTimeline({ params }));
        const json = { session, changes, timeline: entries };
        return {
          json,
          pages: true,
          text: (style) => {
            const timeline = timelineText(entries, changes, style);
            return [sessionText(session, style), ...(timeline === '' ? [] : ['', timeline])].join('\n');
          },
        };
      }),
    ),
};
