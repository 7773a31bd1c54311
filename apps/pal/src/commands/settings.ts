import type { CommandFile } from '../cli/command.js';

export const command: CommandFile = {
  summary: 'show or change what this workspace does',
  section: 'More',
  details: 'Times are written as 90s, 30min, 12h or 30d, sizes as 500MB or 10GB.',
  examples: [
    { line: 'pal settings', does: 'what holds here, and what each means' },
    { line: 'pal settings guard.unseen warn', does: 'warn about edits of files that were not read, and let them pass' },
    { line: 'pal settings checkpoints.keptAgeMs 30d', does: 'let checkpoints go after a month' },
    { line: 'pal settings guard.unseen --unset', does: 'back to how it comes' },
  ],
  define: (self, act) =>
    self
      .argument('[name]', 'a setting')
      .argument('[value]', 'what to set it to')
      .option('--unset', 'back to how it comes')
      .action(
        act(async (face, name: string | undefined, value: string | undefined, { unset }: { readonly unset?: true }) => {
          const { setting } = await import('../cli/setting.js');
          return setting(face, { name, value, unset });
        }),
      ),
};
