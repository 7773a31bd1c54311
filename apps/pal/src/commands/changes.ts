import type { ChangeJson } from '@palimpsest/protocol';
import { Option } from 'commander';
import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { counted } from '../print/amount.js';
import { changesText } from '../print/changes.js';
import { nextText, type Standing } from '../print/next.js';

type Given = {
  readonly session?: string;
  readonly call?: string;
  readonly path?: string;
  readonly status?: Status;
};
type Status = ChangeJson['status'] | 'all';

export const command: CommandFile = {
  summary: 'list changes: who, which call, what, how it stands',
  section: 'Look',
  details:
    'Without --status: what waits for review; of a change that is named, all. With --status all also what people and unknown hands did.',
  examples: [
    { line: 'pal changes', does: 'what waits for review' },
    { line: 'pal changes --status all --path src/app.ts', does: 'everything that happened to one file' },
    { line: "pal changes --path 'lib/**'", does: 'what waits in one folder; `--path lib` is the same' },
    { line: 'pal changes --call toolu_01 --json', does: 'what one tool call did, for a program' },
  ],
  define: (self, act) =>
    self
      .argument('[change]', 'only this one, or c12 for all of operation 12')
      .option('--session <id>', 'of this session; the beginning of its id is enough')
      .option('--call <id>', 'of this tool call; the beginning of its id is enough')
      .option('--path <path>', "of this file, in this folder, or under 'lib/**'")
      .addOption(
        new Option('--status <status>', 'that stand like this').choices([
          'pending',
          'accepted',
          'rejected',
          'conflict',
          'all',
        ]),
      )
      .action(
        act(async (face, change: string | undefined, { session, call, path, ...given }: Given) => {
          const client = await clientOf(face);
          const status = given.status ?? (change === undefined ? 'pending' : 'all');
          const place = path === undefined ? undefined : face.resolve(path);
          const query = { status, session, change, call, path: place };
          const { changes } = said(await client.listChanges({ query }));
          const conflicts = changes.length > 0 || status !== 'pending' ? 0 : said(await client.status()).conflicts;
          return {
            json: { changes },
            text: (style) =>
              changes.length === 0
                ? nothing(status, conflicts)
                : `${changesText(changes, style)}${nextText(standingOf(changes), style)}`,
          };
        }),
      ),
};

function standingOf(changes: readonly ChangeJson[]): Standing {
  const pending = changes.filter(({ status }) => status === 'pending');
  const conflicts = changes.filter(({ status }) => status === 'conflict').length;
  const [first] = pending;
  return { pending: pending.length, conflicts, ...(first === undefined ? {} : { example: first.id }) };
}

function nothing(status: Status, conflicts: number): string {
  if (conflicts > 0)
    return `no pending changes, ${counted(conflicts, 'conflict')}: \`pal conflicts\` lists what waits to be settled`;
  return status === 'all'
    ? 'no changes have been recorded here'
    : `no ${status} changes (\`--status all\` shows every change there was)`;
}
