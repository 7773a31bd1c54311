import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { worktreesText } from '../../print/worktrees.js';

export const command: CommandFile = {
  summary: 'the worktrees there are',
  section: 'Agents',
  details: 'Where each is, how it flows, and what in it waits.',
  examples: [{ line: 'pal worktree list', does: 'all of them' }],
  define: (self, act) =>
    self.action(
      act(async (face) => {
        const client = await clientOf(face);
        const answer = said(await client.listWorktrees());
        return { json: answer, text: (style) => worktreesText(answer.worktrees, style) };
      }),
    ),
};
