import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { checkpointText } from '../../print/checkpoints.js';

export const command: CommandFile = {
  summary: 'keep a checkpoint whatever its age',
  section: 'Keep',
  examples: [
    { line: 'pal checkpoint pin k12', does: 'keep it until it is unpinned or deleted' },
    { line: 'pal checkpoint pin k12 --off', does: 'let it age again' },
  ],
  define: (self, act) =>
    self
      .argument('<id>', 'as `pal checkpoint list` shows it')
      .option('--off', 'stop keeping it')
      .action(
        act(async (face, id: string, { off }: { readonly off?: true }) => {
          const client = await clientOf(face);
          const pinned = off === undefined;
          const answer = said(await client.pinCheckpoint({ params: { checkpoint: id }, body: { pinned } }));
          return {
            json: answer,
            text: (style) => checkpointText(pinned ? 'pinned' : 'unpinned', answer.checkpoint, style),
          };
        }),
      ),
};
