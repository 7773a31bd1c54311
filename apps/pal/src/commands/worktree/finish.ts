import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { worktreeGoneText } from '../../print/worktrees.js';

export const command: CommandFile = {
  summary: 'bring in what is accepted, then remove the worktree',
  section: 'Agents',
  details:
    'Its tree is saved as a checkpoint first. It stays while something in it waits for a verdict, is in conflict, or while a program works in it.',
  examples: [{ line: 'pal worktree finish nightly', does: 'end the isolation of that session' }],
  define: (self, act) =>
    self
      .argument('<session>', 'its id, or how only that one begins')
      .option('--leave-commits', 'also when it has commits that no branch or tag has; git removes them in time')
      .action(
        act(async (face, session: string, given: { readonly leaveCommits?: true }) => {
          const client = await clientOf(face);
          const body = given.leaveCommits ? { commits: 'leave' as const } : {};
          const answer = said(await client.finishWorktree({ params: { session }, body }));
          return { json: answer, text: (style) => worktreeGoneText(answer, style) };
        }),
      ),
};
