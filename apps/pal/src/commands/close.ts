import type { CommandFile } from '../cli/command.js';
import { settingOpenFiles } from '../cli/setting-open-files.js';

export const command: CommandFile = {
  summary: 'close open files',
  section: 'Work',
  examples: [{ line: 'pal close src/app.ts', does: 'close it in all sessions' }],
  define: (self, act) =>
    self
      .argument('<path|glob...>', 'files, or patterns between quotes')
      .option('--session <id>', 'for this session only; the beginning of its id is enough')
      .action(
        act((face, paths: readonly string[], { session }: { session?: string }) =>
          settingOpenFiles(face, { act: 'close', paths, session }),
        ),
      ),
};
