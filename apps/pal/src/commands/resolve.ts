import { readFileSync } from 'node:fs';
import { Option } from 'commander';
import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { EXIT, Failure } from '../face/failure.js';
import { harmless } from '../print/harmless.js';
import { filesText } from '../print/verdict.js';

type Given = { readonly take?: 'ours' | 'theirs'; readonly with?: string };

export const command: CommandFile = {
  summary: 'settle a conflict',
  section: 'Keep',
  details: '“Ours” is the file as it is; “theirs” is the text that the rejection asked for.',
  examples: [
    { line: 'pal resolve c12.1 --take ours', does: 'keep the file as it is' },
    { line: 'pal resolve c12.1 --with merged.ts', does: 'put the text of that file in its place' },
  ],
  define: (self, act) =>
    self
      .argument('<change>', 'its id, as `pal conflicts` lists it')
      .addOption(new Option('--take <side>', 'which side stays').choices(['ours', 'theirs']))
      .option('--with <file>', 'a file with the merged text')
      .action(
        act(async (face, id: string, given: Given) => {
          const body = bodyOf(given, face.resolve);
          const client = await clientOf(face);
          const answer = said(await client.resolveConflict({ params: { change: id }, body }));
          const files = answer.written.length === 0 ? ['the file stays as it is'] : filesText(answer, 'done');
          return {
            json: answer,
            text: (style) =>
              [
                style.paint.good(`settled  ${harmless(answer.resolved)}`),
                ...files,
                style.paint.quiet('`pal undo` takes this back'),
              ].join('\n'),
          };
        }),
      ),
};

function bodyOf(given: Given, resolve: (path: string) => string) {
  if ((given.take === undefined) === (given.with === undefined)) {
    throw new Failure({
      code: 'usage',
      message: 'say how to settle it',
      hint: 'use either --take ours, --take theirs, or --with FILE',
      exit: EXIT.usage,
    });
  }
  if (given.take !== undefined) return { take: given.take };
  try {
    return { base64: readFileSync(resolve(given.with!)).toString('base64') };
  } catch (error) {
    const message = `${given.with} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    throw new Failure({ code: 'no-such-file', message, exit: EXIT.notFound });
  }
}
