import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { shownPatchesText } from '../../print/patches.js';

export const command: CommandFile = {
  summary: 'show patches as diffs',
  section: 'Look',
  details: 'A file whose name is a number is written as ./7.',
  examples: [
    { line: 'pal patches show 1', does: 'the latest' },
    { line: 'pal patches show src/app.ts', does: 'all of one file, newest first' },
  ],
  define: (self, act) =>
    self
      .argument('<number|path>', 'a number as `pal patches list` has it, the id of a change, or a path')
      .option('--session <id>', 'of this session; the beginning of its id is enough')
      .action(
        act(async (face, which: string, { session }: { session?: string }) => {
          const client = await clientOf(face);
          const patch = /^(\d{1,9}|c\d+\.\d+)$/.test(which) ? which : face.resolve(which);
          const answer = said(await client.showPatches({ params: { patch }, query: { session } }));
          return { json: answer, pages: true, text: (style) => shownPatchesText(answer.patches, style) };
        }),
      ),
};
