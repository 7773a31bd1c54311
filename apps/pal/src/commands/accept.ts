import type { CommandFile } from '../cli/command.js';
import { type GivenSelection, selecting, selectionOf } from '../cli/selecting.js';
import { clientOf, said } from '../face/client.js';
import { EXIT } from '../face/failure.js';
import { verdictText } from '../print/verdict.js';

export const command: CommandFile = {
  summary: 'accept changes of agents',
  section: 'Keep',
  details: 'The files have the changes already: accepting says that they stay, and writes nothing.',
  examples: [
    { line: 'pal accept c12.1', does: 'accept one change' },
    { line: 'pal accept --path src/app.ts', does: 'accept all that is pending in one file' },
    { line: 'pal accept --all', does: 'accept everything that is pending' },
  ],
  define: (self, act) =>
    selecting(self).action(
      act(async (face, ids: readonly string[], given: GivenSelection) => {
        const client = await clientOf(face);
        const answer = said(await client.accept({ body: selectionOf(face, ids, given) }));
        return {
          json: answer,
          text: (style) => verdictText('accepted', answer.accepted, answer, given.dryRun ? 'dry-run' : 'done', style),
          exit: answer.conflicts.length > 0 ? EXIT.moved : EXIT.done,
        };
      }),
    ),
};
