import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { checkpointText } from '../../print/checkpoints.js';

export const command: CommandFile = {
  summary: 'let go of a checkpoint',
  section: 'Keep',
  examples: [{ line: 'pal checkpoint delete k12', does: 'forget that moment; `pal gc` frees its space' }],
  define: (self, act) =>
    self.argument('<id>', 'as `pal checkpoint list` shows it').action(
      act(async (face, id: string) => {
        const client = await clientOf(face);
        const answer = said(await client.deleteCheckpoint({ params: { checkpoint: id } }));
        return { json: answer, text: (style) => checkpointText('deleted', answer.checkpoint, style) };
      }),
    ),
};
