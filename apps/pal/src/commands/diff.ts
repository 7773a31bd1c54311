import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { Failure } from '../face/failure.js';

export const command: CommandFile = {
  summary: 'compare the workspace with a checkpoint, or two checkpoints',
  section: 'Look',
  details: 'Without any: what has changed since the latest checkpoint.',
  examples: [
    { line: 'pal diff', does: 'what has changed since the latest checkpoint' },
    { line: 'pal diff k12', does: 'what has changed since k12' },
    { line: 'pal diff k12 k20', does: 'what changed between the two' },
  ],
  define: (self, act) =>
    self
      .argument('[from]', 'a checkpoint; the latest without it')
      .argument('[to]', 'another, or `now`', 'now')
      .option('--path <path>', 'only this file, with its lines')
      .action(
        act(async (face, from: string | undefined, to: string, { path }: { readonly path?: string }) => {
          const { comparing } = await import('../cli/comparing.js');
          if (from !== undefined) return comparing(face, from, to, path);
          const { checkpoints } = said(await (await clientOf(face)).listCheckpoints({ query: {} }));
          const latest = checkpoints.at(-1);
          if (latest !== undefined) return comparing(face, latest.id, to, path);
          throw new Failure(
            'unknown-checkpoint',
            'there is no checkpoint to compare with',
            '`pal checkpoint save` makes one',
          );
        }),
      ),
};
