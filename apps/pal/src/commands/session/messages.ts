import { Option } from 'commander';
import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { sessionNamed } from '../../face/session-named.js';
import { messagesText } from '../../print/messages.js';

type Given = {
  readonly history?: 'model' | 'human';
  readonly branch?: string;
  readonly after?: string;
  readonly last?: string;
};

export const command: CommandFile = {
  summary: 'show what was said in a session, word by word',
  section: 'Agents',
  details:
    'Two histories are kept: what the model got and what the human saw. A branch is what was left when the conversation was taken back.',
  examples: [
    { line: 'pal session messages 7f3a --last 10', does: 'the last ten messages' },
    { line: 'pal session messages 7f3a --history human', does: 'what the human saw' },
    { line: 'pal session messages 7f3a --branch 0', does: 'how it went before it was taken back for the first time' },
  ],
  define: (self, act) =>
    self
      .argument('<id>', 'as `pal session list` shows it')
      .addOption(new Option('--history <name>', 'only one of the two').choices(['model', 'human']))
      .option('--branch <n>', 'one that was left, counted from 0')
      .option('--after <id>', 'only messages after this one')
      .option('--last <n>', 'only the last so many')
      .action(
        act(async (face, id: string, { history, branch, after, last }: Given) => {
          const client = await clientOf(face);
          const params = { session: await sessionNamed(client, id) };
          const query = {
            ...(history === undefined ? {} : { history }),
            ...(branch === undefined ? {} : { branch: Number(branch) }),
            ...(after === undefined ? {} : { after: Number(after) }),
            ...(last === undefined ? {} : { limit: Number(last), newest: true }),
          };
          const answer = said(await client.listMessages({ params, query }));
          const { branches } = said(await client.listBranches({ params }));
          const more = answer.more && last === undefined ? [MORE(answer.messages.at(-1)!.id)] : [];
          const left = branches.map(
            ({ branch: n, messages }) => `branch ${n} was left with ${messages} messages of its own`,
          );
          return {
            json: { ...answer, branches },
            pages: true,
            text: (style) =>
              answer.messages.length === 0
                ? 'nothing that was said is kept of this session'
                : [messagesText(answer.messages, style), ...more, ...left.map(style.paint.quiet)].join('\n\n'),
          };
        }),
      ),
};

const MORE = (id: number) => `there is more: --after ${id}`;
