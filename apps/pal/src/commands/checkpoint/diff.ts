import type { CommandFile } from '../../cli/command.js';

export const command: CommandFile = {
  summary: 'compare a checkpoint with another, or with now',
  section: 'Keep',
  examples: [
    { line: 'pal checkpoint diff k12', does: 'what has changed since' },
    { line: 'pal checkpoint diff k12 k20 --path src/app.ts', does: 'one file between two moments, line by line' },
  ],
  define: (self, act) =>
    self
      .argument('<from>', 'a checkpoint')
      .argument('[to]', 'another, or `now`', 'now')
      .option('--path <path>', 'only this file, with its lines')
      .action(
        act(async (face, from: string, to: string, { path }: { readonly path?: string }) => {
          const { comparing } = await import('../../cli/comparing.js');
          return comparing(face, from, to, path);
        }),
      ),
};
