import type { CommandFile } from '../cli/command.js';
import { settingOpenFiles } from '../cli/setting-open-files.js';

export const command: CommandFile = {
  summary: 'pin files: they stay open until they are unpinned or closed',
  section: 'Work',
  examples: [{ line: 'pal pin src/app.ts', does: 'keep it open for all sessions' }],
  define: (self, act) =>
    self
      .argument('<path|glob...>', 'files, or patterns between quotes')
      .option('--session <id>', 'for this session only; the beginning of its id is enough')
      .action(
        act((face, paths: readonly string[], { session }: { session?: string }) =>
          settingOpenFiles(face, { act: 'pin', paths, session }),
        ),
      ),
};
