import { Option } from 'commander';
import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { Failure } from '../../face/failure.js';
import { sessionNamed } from '../../face/session-named.js';
import { counted } from '../../print/amount.js';

type Given = { readonly form?: 'anthropic' | 'openai'; readonly reduce?: string; readonly expand?: boolean };

export const command: CommandFile = {
  summary: 'show what the model would get of a session, make it less, or bring it back',
  section: 'Agents',
  details:
    'Less: reads that were read again are left out first, then the largest results are shortened, then whole calls go, the oldest first. Nothing that was said is removed.',
  examples: [
    { line: 'pal session history 7f3a', does: 'how many tokens it is, and what is left out' },
    { line: 'pal session history 7f3a --form anthropic --json', does: 'as the Messages API takes it' },
    { line: 'pal session history 7f3a --reduce 50000', does: 'leave out as little as it takes' },
    { line: 'pal session history 7f3a --expand', does: 'bring all of it back' },
  ],
  define: (self, act) =>
    self
      .argument('<id>', 'as `pal session list` shows it')
      .addOption(new Option('--form <provider>', 'also as that API takes it').choices(['anthropic', 'openai']))
      .option('--reduce <tokens>', 'to so many tokens')
      .option('--expand', 'bring back what was left out')
      .action(
        act(async (face, id: string, { form, reduce, expand }: Given) => {
          const client = await clientOf(face);
          const params = { session: await sessionNamed(client, id) };
          if (reduce !== undefined) {
            if (!/^\d+$/.test(reduce)) throw new Failure('usage', `${reduce} is no number of tokens`);
            const answer = said(await client.reduceHistory({ params, body: { budget: Number(reduce) } }));
            const fits = answer.fits ? '' : ': more cannot be left out without a summary';
            return { json: answer, text: () => `about ${answer.before} → ${answer.after} tokens${fits}` };
          }
          if (expand === true) {
            const answer = said(await client.expandHistory({ params, body: {} }));
            return { json: answer, text: () => `all of it again: about ${answer.tokens} tokens` };
          }
          const answer = said(await client.getHistory({ params, query: form === undefined ? {} : { form } }));
          const { messages, tokens, measured, reductions } = answer;
          const by = measured === 0 ? 'estimated' : `measured by ${counted(measured, 'answer')}`;
          const left =
            reductions.length === 0 ? 'nothing is left out' : `left out by ${counted(reductions.length, 'reduction')}`;
          const sum = `${counted(messages.length, 'message')}, about ${tokens} tokens (${by}); ${left}`;
          return {
            json: answer,
            verbatim: true,
            text: () => (form === undefined ? sum : JSON.stringify(answer.request, null, 2)),
          };
        }),
      ),
};
