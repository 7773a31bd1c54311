import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { worktreeText } from '../../print/worktrees.js';

export const command: CommandFile = {
  summary: 'bring in what was changed in it while nobody watched',
  section: 'Agents',
  details:
    'What is accepted, or needs no verdict, flows by itself. What was found changed in a worktree after the daemon was not running flows when you say so.',
  examples: [{ line: 'pal worktree sync nightly', does: 'let it flow now' }],
  define: (self, act) =>
    self.argument('<session>', 'its id, or how only that one begins').action(
      act(async (face, session: string) => {
        const client = await clientOf(face);
        const answer = said(await client.syncWorktree({ params: { session } }));
        return { json: answer, text: (style) => worktreeText(answer.worktree, style) };
      }),
    ),
};
