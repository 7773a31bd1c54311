import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { openFilesText } from '../print/open-files.js';

export const command: CommandFile = {
  summary: 'list open files: pinned first, then the latest used',
  section: 'Look',
  examples: [
    { line: 'pal opened', does: 'of all sessions that run' },
    { line: 'pal opened --session 7f3a', does: 'of one, with what is open for all' },
  ],
  define: (self, act) =>
    self.option('--session <id>', 'of this session; the beginning of its id is enough').action(
      act(async (face, { session }: { session?: string }) => {
        const client = await clientOf(face);
        const { files } = said(await client.listOpenFiles({ query: { session } }));
        return { json: { files }, text: (style) => openFilesText(files, style) };
      }),
    ),
};
