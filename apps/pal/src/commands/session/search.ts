import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { sessionNamed } from '../../face/session-named.js';
import { hitsText } from '../../print/messages.js';

type Given = { readonly session?: string; readonly limit?: string };

export const command: CommandFile = {
  summary: 'find what was asked, answered or done, by its words',
  section: 'Agents',
  details:
    'All of the words must be there, in any order; "words between quotation marks" as they stand. A word of four letters or more may be the beginning of a longer one. The best hits come first.',
  examples: [
    { line: 'pal session search login form', does: 'in all sessions' },
    { line: 'pal session search \'"rate limit"\' --session 7f3a', does: 'these two words together, in one session' },
  ],
  define: (self, act) =>
    self
      .argument('<text...>', 'what to look for')
      .option('--session <id>', 'only in this session')
      .option('--limit <n>', 'so many hits at most; 20 without it')
      .action(
        act(async (face, words: readonly string[], { session, limit }: Given) => {
          const client = await clientOf(face);
          const within = session === undefined ? {} : { session: await sessionNamed(client, session) };
          const many = limit === undefined ? {} : { limit: Number(limit) };
          const answer = said(await client.search({ query: { text: words.join(' '), ...within, ...many } }));
          return { json: answer, text: (style) => hitsText(answer.hits, style) };
        }),
      ),
};
