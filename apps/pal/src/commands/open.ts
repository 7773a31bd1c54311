import type { CommandFile } from '../cli/command.js';
import { settingOpenFiles } from '../cli/setting-open-files.js';

export const command: CommandFile = {
  summary: 'open files: what a model shall have in front of it',
  section: 'Work',
  details:
    'Agents open files by themselves when they read or write them. The 25 latest used stay open, and pinned ones until they are unpinned or closed. Without --session a file is opened for every session, also for those to come.',
  examples: [
    { line: 'pal open src/app.ts', does: 'open a file for all sessions' },
    { line: "pal open 'src/**/*.ts' --session 7f3a", does: 'open several for one' },
    { line: 'pal open docs/style.md --pin', does: 'keep it open whatever comes' },
  ],
  define: (self, act) =>
    self
      .argument('<path|glob...>', 'files, folders, or patterns between quotes')
      .option('--pin', 'and pin them')
      .option('--session <id>', 'for this session only; the beginning of its id is enough')
      .action(
        act((face, paths: readonly string[], { pin, session }: { pin?: true; session?: string }) =>
          settingOpenFiles(face, { act: pin ? 'pin' : 'open', paths, session }),
        ),
      ),
};
