import type { CommandFile } from '../command.js';
import { clientOf, said } from '../door.js';
import { counted } from '../print/amount.js';
import { harmless } from '../print/harmless.js';

export const command: CommandFile = {
  summary: 'remove bytes from every place we keep them',
  section: 'Keep',
  details:
    'For secrets: that something happened stays on record, its bytes do not, and it cannot be taken back any more. Your own files are not touched.',
  examples: [
    { line: 'pal forget .env --dry-run', does: 'see what would go' },
    { line: 'pal forget .env', does: 'forget all that this file ever held' },
    { line: 'pal forget 4cb29ea38f70d7c61b2a3a25b02e3bdf44905402', does: 'forget one content, wherever it was' },
  ],
  define: (self, act) =>
    self
      .argument('<path|content>', 'a file, or a content id')
      .option('--dry-run', 'say what would be done, and do nothing')
      .action(
        act(async (face, given: string, { dryRun }: { readonly dryRun?: true }) => {
          const client = await clientOf(face);
          const what = /^[0-9a-f]{40}$/.test(given) ? given : face.resolve(given);
          const body = dryRun === undefined ? { what } : { what, dryRun };
          const answer = said(await client.call('forget', { body }));
          const { contents, calls, onDisk } = answer;
          const gone = `${counted(contents.length, 'content')} and the input of ${counted(calls, 'call')}`;
          const still =
            onDisk.length === 0
              ? ''
              : `\nstill in your files, which are not touched: ${onDisk.map(harmless).join(' ')}`;
          return { json: answer, text: () => `${dryRun ? 'would forget' : 'forgotten'}: ${gone}${still}` };
        }),
      ),
};
