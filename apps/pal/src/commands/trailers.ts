import { assistedBy } from '@palimpsest/core';
import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { authorsOf } from '../print/contribution.js';
import { harmless } from '../print/harmless.js';
import type { Style } from '../print/style.js';

type Given = { readonly tool?: readonly string[]; readonly llm?: true };

export const command: CommandFile = {
  summary: 'say which agents helped with commits, as lines for their messages',
  section: 'Look',
  details: `One line \`Assisted-by: AGENT:MODEL\` for each agent that wrote a line of these commits, with the model where the agent
names it. Tools of analysis that were used (sparse, clang-tidy) are added with --tool; nothing is changed.
With --llm it says LLM instead of agent and model, as the Linux kernel asks for since 2026-08.`,
  examples: [
    { line: 'pal trailers HEAD', does: 'of the last commit' },
    { line: 'pal trailers main..', does: 'of all commits of this branch' },
    { line: 'git commit --amend --trailer "$(pal trailers HEAD)"', does: 'write it into the last commit' },
  ],
  define: (self, act) =>
    self
      .argument('<range>', 'a commit, or A..B as git understands it')
      .option('--tool <name...>', 'a tool of analysis that was used')
      .option('--llm', 'name neither agent nor model')
      .action(
        act(async (face, range: string, { tool: tools = [], llm }: Given) => {
          const client = await clientOf(face);
          const { contributions } = said(await client.contributions({ query: { range } }));
          const naming = llm === true ? 'llm' : 'agent';
          const trailers = assistedBy(contributions.flatMap(authorsOf), { tools, naming });
          return { json: { trailers }, text: (style) => trailersText(trailers, style), verbatim: true };
        }),
      ),
};

/** A program that asks gets the lines alone; a person must not take silence for a failure. */
function trailersText(trailers: readonly string[], { width, paint }: Style): string {
  if (trailers.length === 0 && width !== null) return paint.quiet('no agent wrote a line of these commits');
  return trailers.map(harmless).join('\n');
}
