import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { worktreeText } from '../../print/worktrees.js';

export const command: CommandFile = {
  summary: 'one worktree: what waits in it, and what differs',
  section: 'Agents',
  details: 'Files that git ignores stay where they are; they are listed all the same.',
  examples: [{ line: 'pal worktree show nightly', does: 'the worktree of that session' }],
  define: (self, act) =>
    self.argument('<session>', 'its id, or how only that one begins').action(
      act(async (face, session: string) => {
        const client = await clientOf(face);
        const answer = said(await client.getWorktree({ params: { session } }));
        return { json: answer, text: (style) => worktreeText(answer.worktree, style) };
      }),
    ),
};
