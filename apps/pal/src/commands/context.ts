import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { Failure } from '../face/failure.js';
import { contextView } from '../print/context.js';

type Given = { readonly prompt: string; readonly session?: string; readonly budget?: string };

export const command: CommandFile = {
  summary: 'show what a model should have in front of it for a prompt',
  section: 'Look',
  details:
    'Notices, open files, what calls changed, what git has as changed, and what else the prompt names: each with why it is in and how many tokens it takes, and never more than the budget. What the session has in front of it already is left out. Git is asked only if the prompt is about that, or a build failed after edits from outside. Without --session it is for the session that was last at work.',
  examples: [
    { line: 'pal context --prompt "why does the parser fail?"', does: 'what would help with it' },
    { line: 'pal context --prompt "review my changes" --budget 4000 --json', does: 'within a budget, for a program' },
    { line: 'pal context --prompt - < prompt.txt', does: 'for a prompt from standard input' },
  ],
  define: (self, act) =>
    self
      .requiredOption('--prompt <text>', 'the prompt; `-` reads it from standard input')
      .option('--session <id>', 'for this session; the beginning of its id is enough')
      .option('--budget <tokens>', 'at most so many tokens in all (default 8000)')
      .action(
        act(async (face, { prompt: given, session, budget }: Given) => {
          const prompt = given === '-' ? await face.inputText() : given;
          const client = await clientOf(face);
          const body = { prompt, session, ...(budget === undefined ? {} : { budget: tokensOf(budget) }) };
          const context = said(await client.getContext({ body }));
          return { json: context, pages: true, text: (style) => contextView(context, style) };
        }),
      ),
};

function tokensOf(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new Failure('usage', `--budget needs a number of tokens, not ${JSON.stringify(text)}`);
}
