import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { worktreeGoneText } from '../../print/worktrees.js';

export const command: CommandFile = {
  summary: 'remove a worktree in which nothing waits',
  section: 'Agents',
  details: 'As finish, without bringing anything in.',
  examples: [{ line: 'pal worktree remove nightly', does: 'remove it' }],
  define: (self, act) =>
    self
      .argument('<session>', 'its id, or how only that one begins')
      .option('--leave-commits', 'also when it has commits that no branch or tag has; git removes them in time')
      .action(
        act(async (face, session: string, given: { readonly leaveCommits?: true }) => {
          const client = await clientOf(face);
          const body = given.leaveCommits ? { commits: 'leave' as const } : {};
          const answer = said(await client.removeWorktree({ params: { session }, body }));
          return { json: answer, text: (style) => worktreeGoneText(answer, style) };
        }),
      ),
};
