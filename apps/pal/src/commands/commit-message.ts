import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { Failure } from '../face/failure.js';
import { commitMessage } from '../print/commit-message.js';
import { harmlessLines } from '../print/harmless.js';

export const command: CommandFile = {
  summary: 'put what was done into words for a commit',
  section: 'Look',
  details: `From what agents were asked and what they and you changed: of what is staged or, if nothing is, of all that is not
committed. With a range, of those commits together. No model is asked, and nothing is changed.`,
  examples: [
    { line: 'pal commit-message', does: 'of what is staged, or not committed' },
    { line: 'pal commit-message | git commit -eF -', does: 'commit with it, after a look in your editor' },
    { line: 'pal commit-message main..', does: 'of all commits of this branch, to squash them' },
  ],
  define: (self, act) =>
    self.argument('[range]', 'a commit, or A..B as git understands it').action(
      act(async (face, range: string | undefined) => {
        const client = await clientOf(face);
        const { contributions } = said(await client.contributions({ query: { range } }));
        if (contributions.every(({ files }) => files.length === 0)) throw nothing(range);
        const told = commitMessage(contributions);
        return { json: told, text: () => harmlessLines(told.message), verbatim: true };
      }),
    ),
};

function nothing(range: string | undefined): Failure {
  const what = range === undefined ? 'everything is committed' : `the commits of ${range} change no file`;
  return new Failure('nothing-to-do', `${what}: there is nothing to put into words`);
}
