import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { sessionAmong } from '../face/session-named.js';
import { attributedText } from '../print/verdict.js';

export const command: CommandFile = {
  summary: 'say whose a change was that nobody could be named for',
  section: 'Keep',
  details: `For a change that several may have made: \`pal show CHANGE\` lists them. It is that session's from then on: a verdict on
the session takes it along, and the agent hears of it when it is rejected. \`pal undo\` takes this back.`,
  examples: [
    { line: 'pal attribute c12.1 7f3a', does: 'it was the one call of that session that may have made it' },
    { line: 'pal attribute c12.1 7f3a:toolu_01', does: 'it was this call' },
  ],
  define: (self, act) =>
    self
      .argument('<change>', 'its id, as `pal changes` lists it')
      .argument('<session[:call]>', 'who made it: an id, or how the id of only one of them begins')
      .action(
        act(async (face, id: string, who: string) => {
          const client = await clientOf(face);
          const body = splitAt(who, said(await client.listSessions()).sessions);
          const answer = said(await client.attribute({ params: { change: id }, body }));
          return { json: answer, text: (style) => attributedText(answer.change, style) };
        }),
      ),
};

/** Ids are opaque and may hold colons themselves: a session that there is comes first. */
function splitAt(who: string, sessions: Sessions): { readonly session: string; readonly call?: string } {
  const known = sessions.map(({ id }) => id);
  if (known.includes(who)) return { session: who };
  for (let at = who.indexOf(':'); at >= 0; at = who.indexOf(':', at + 1)) {
    const session = sessionAmong(sessions, who.slice(0, at));
    if (known.includes(session)) return { session, call: who.slice(at + 1) };
  }
  return { session: sessionAmong(sessions, who) };
}

type Sessions = Parameters<typeof sessionAmong>[0];
