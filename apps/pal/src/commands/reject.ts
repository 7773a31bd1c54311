import { Option } from 'commander';
import type { CommandFile } from '../cli/command.js';
import { type GivenSelection, selecting, selectionOf } from '../cli/selecting.js';
import { clientOf, said } from '../face/client.js';
import { EXIT, type ExitCode } from '../face/failure.js';
import { type VerdictAnswerJson, verdictText } from '../print/verdict.js';

type Given = GivenSelection & { readonly cascade?: 'dependents' | 'file'; readonly comment?: string };

export const command: CommandFile = {
  summary: 'take changes of agents back, around everybody else’s',
  section: 'Keep',
  details:
    'Your own edits, and later changes on other lines, stay. Later changes that rest on the rejected text go with it. What cannot be merged becomes a conflict, and the file is not touched.',
  examples: [
    { line: 'pal reject c12.1 --dry-run', does: 'see what would go, and what would go with it' },
    { line: 'pal reject c12.1.2 --comment "keep the old name"', does: 'take one hunk back, and tell the agent why' },
    { line: 'pal reject --session 7f3a', does: 'take back all that is pending of one session' },
  ],
  define: (self, act) =>
    selecting(self)
      .addOption(
        new Option(
          '--cascade <which>',
          'what goes with it: later changes that rest on the text, or all of the file',
        ).choices(['dependents', 'file']),
      )
      .option('--comment <text>', 'why; the agent hears it at its next safe moment')
      .action(
        act(async (face, ids: readonly string[], given: Given) => {
          const client = await clientOf(face);
          const { cascade, comment } = given;
          const answer = said(await client.reject({ body: { ...selectionOf(face, ids, given), cascade, comment } }));
          return {
            json: answer,
            text: (style) => verdictText('rejected', answer.rejected, answer, given.dryRun ? 'dry-run' : 'done', style),
            exit: exitOf(answer, ids),
          };
        }),
      ),
};

/** What was named and could not be taken back is a failure, also when the rest was. */
function exitOf({ conflicts, left }: VerdictAnswerJson, named: readonly string[]): ExitCode {
  if (conflicts.length > 0) return EXIT.moved;
  return left.some(({ id }) => named.includes(id)) ? EXIT.failed : EXIT.done;
}
