import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { workspacesText } from '../print/workspaces.js';

export const command: CommandFile = {
  summary: 'list all workspaces that are known: size, last use, what waits',
  section: 'Look',
  examples: [
    { line: 'pal workspaces', does: 'every workspace of yours that was ever opened' },
    { line: 'pal forget-workspace ../old', does: 'see what would go of one' },
  ],
  define: (self, act) =>
    self.action(
      act(async (face) => {
        const { workspaces } = said(await (await clientOf(face)).listWorkspaces());
        return { json: { workspaces }, text: (style) => workspacesText(workspaces, style) };
      }),
    ),
};
