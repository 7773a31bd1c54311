import type { CommandFile } from '../cli/command.js';
import { settingOpenFiles } from '../cli/setting-open-files.js';

export const command: CommandFile = {
  summary: 'unpin files; they stay open among the latest used',
  section: 'Work',
  examples: [{ line: 'pal unpin src/app.ts', does: 'let it go when others take its place' }],
  define: (self, act) =>
    self
      .argument('<path|glob...>', 'files, or patterns between quotes')
      .option('--session <id>', 'for this session only; the beginning of its id is enough')
      .action(
        act((face, paths: readonly string[], { session }: { session?: string }) =>
          settingOpenFiles(face, { act: 'unpin', paths, session }),
        ),
      ),
};
