import type { CommandFile } from '../command.js';
import { clientOf, said } from '../door.js';
import { changeText } from '../print/show.js';

export const command: CommandFile = {
  summary: 'show one change as a diff',
  section: 'Look',
  examples: [
    { line: 'pal show c12.1', does: 'who made it, and its diff' },
    { line: 'PAL_TERMINAL=100 pal show c12.1 | less -R', does: 'the same in a pager, in colour' },
    { line: 'pal show c12.1 --json', does: 'with its hunks and their text' },
  ],
  define: (self, act) =>
    self.argument('<change>', 'its id, as `pal changes` lists it').action(
      act(async (face, id: string) => {
        const client = await clientOf(face);
        const { change, hunks } = said(await client.getChange(id));
        const json = { change, hunks };
        if (face.format === 'json') return { json, text: () => '' };
        const patch = change.reversible ? new TextDecoder().decode(said(await client.getPatch(id))) : null;
        return { json, text: (look) => changeText(change, patch, look) };
      }),
    ),
};
