import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { notesText } from '../print/notes.js';

export const command: CommandFile = {
  summary: "attach to commits, as git notes, which of their lines are agents'",
  section: 'Work',
  details: `Writes into your repository, and is the only command that does: one note for each commit in which an agent wrote a line,
in refs/notes/ai, in the format of the Git AI Standard 3.0.0, without the text of prompts. A commit that has such a note is
left as it is. Commits, branches, index and files are not touched, and nothing is pushed.`,
  examples: [
    { line: 'pal notes HEAD --dry-run', does: 'show what would be attached to the last commit' },
    { line: 'pal notes main..', does: 'attach it to all commits of this branch' },
    { line: 'git notes --ref=ai show HEAD', does: 'show what is attached' },
    { line: 'git update-ref -d refs/notes/ai', does: 'take all of them away again' },
  ],
  define: (self, act) =>
    self
      .argument('<range>', 'a commit, or A..B as git understands it')
      .option('--dry-run', 'show them and write nothing')
      .action(
        act(async (face, range: string, { dryRun = false }: { readonly dryRun?: boolean }) => {
          const client = await clientOf(face);
          const answer = said(await client.writeNotes({ body: { range, dryRun } }));
          const json = { dryRun, ...answer };
          return { json, text: (style) => notesText(answer, dryRun ? 'dry-run' : 'done', style), verbatim: true };
        }),
      ),
};
