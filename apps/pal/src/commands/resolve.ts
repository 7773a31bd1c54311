import { readFileSync } from 'node:fs';
import { Option } from 'commander';
import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import type { Face } from '../face/face.js';
import { Failure } from '../face/failure.js';
import { resolvedText } from '../print/conflicts.js';

const SIDES = ['mine', 'agent', 'ours', 'theirs'] as const;
type Given = {
  readonly take?: (typeof SIDES)[number];
  readonly with?: string;
  readonly edit?: true;
  readonly dryRun?: true;
};

export const command: CommandFile = {
  summary: 'settle a conflict',
  section: 'Keep',
  details:
    '“mine”, or “ours”, is the file as it is; “theirs” is the file without the change, and without what was written on top of it; “agent” is the change as the agent left it, without what was written on top. `pal conflicts` shows what is where.',
  examples: [
    { line: 'pal resolve c12.1 --take mine', does: 'keep the file as it is' },
    { line: 'pal resolve c12.1 --take theirs --dry-run', does: 'see what would be written' },
    { line: 'pal resolve c12.1 --edit', does: 'put it together in $EDITOR' },
    { line: 'pal resolve c12.1 --with merged.ts', does: 'put the text of that file in its place' },
  ],
  define: (self, act) =>
    self
      .argument('<change>', 'its id, as `pal conflicts` lists it')
      .addOption(new Option('--take <side>', 'which side stays').choices(SIDES))
      .option('--with <file>', 'a file with the merged text')
      .option('--edit', 'both sides in $VISUAL or $EDITOR, between markers')
      .option('--dry-run', 'say what would be done, and do nothing')
      .action(
        act(async (face, id: string, given: Given) => {
          const body = { ...(await bodyOf(face, id, given)), dryRun: given.dryRun };
          const client = await clientOf(face);
          const answer = said(await client.resolveConflict({ params: { change: id }, body }));
          return {
            json: answer,
            text: (style) => resolvedText(answer, given.take, given.dryRun ? 'dry-run' : 'done', style),
          };
        }),
      ),
};

async function bodyOf(face: Face, id: string, given: Given) {
  const ways = [given.take, given.with, given.edit].filter((way) => way !== undefined);
  if (ways.length !== 1) {
    throw new Failure(
      'usage',
      'say how to settle it',
      'use one of --take mine, --take agent, --take theirs, --edit or --with FILE',
    );
  }
  if (given.take !== undefined) return { take: given.take };
  if (given.edit) {
    const { editedByHand } = await import('../cli/edit-conflict.js');
    return { base64: Buffer.from(await editedByHand(face, id)).toString('base64') };
  }
  try {
    return { base64: readFileSync(face.resolve(given.with!)).toString('base64') };
  } catch (error) {
    const message = `${given.with} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    throw new Failure('no-such-file', message);
  }
}
