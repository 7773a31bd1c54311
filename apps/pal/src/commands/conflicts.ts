import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { changesText } from '../print/changes.js';

export const command: CommandFile = {
  summary: 'list changes that could not be merged',
  section: 'Keep',
  examples: [{ line: 'pal conflicts', does: 'what waits to be settled' }],
  define: (self, act) =>
    self.action(
      act(async (face) => {
        const client = await clientOf(face);
        const { changes } = said(await client.listConflicts());
        return {
          json: { changes },
          text: (style) =>
            changes.length === 0
              ? 'no conflicts'
              : `${changesText(changes, style)}\n  → \`pal show CHANGE\` shows one, \`pal resolve CHANGE --take ours|theirs\` settles it`,
        };
      }),
    ),
};
