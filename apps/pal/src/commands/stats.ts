import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { statsText } from '../print/stats.js';

export const command: CommandFile = {
  summary: 'count what became of what agents did',
  section: 'Look',
  details: `By agent and by tool: changes, how many of them were accepted and rejected, lines added and removed, and how many of the
lines that they wrote are in the files now.`,
  examples: [{ line: 'pal stats', does: 'for this workspace' }],
  define: (self, act) =>
    self.action(
      act(async (face) => {
        const stats = said(await (await clientOf(face)).stats());
        return { json: stats, text: (style) => statsText(stats, style) };
      }),
    ),
};
