import type { CommandFile } from '../cli/command.js';
import { settingOpenFiles } from '../cli/setting-open-files.js';

export const command: CommandFile = {
  summary: 'close all open files, but for pinned ones',
  section: 'Work',
  examples: [
    { line: 'pal clear', does: 'close what is open in any session' },
    { line: 'pal clear --pins', does: 'the pinned ones too' },
  ],
  define: (self, act) =>
    self
      .option('--pins', 'the pinned ones too')
      .option('--session <id>', 'of this session only; the beginning of its id is enough')
      .action(
        act((face, { pins, session }: { pins?: true; session?: string }) =>
          settingOpenFiles(face, { act: 'clear', paths: [], session, pins }),
        ),
      ),
};
