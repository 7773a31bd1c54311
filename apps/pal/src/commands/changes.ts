import type { ChangeJson } from '@palimpsest/protocol';
import { Option } from 'commander';
import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { sessionNamed } from '../face/session-named.js';
import { counted } from '../print/amount.js';
import { changesText } from '../print/changes.js';

type Given = {
  readonly session?: string;
  readonly call?: string;
  readonly path?: string;
  readonly status: ChangeJson['status'] | 'all';
};

export const command: CommandFile = {
  summary: 'list changes: who, which call, what, how it stands',
  section: 'Look',
  details: 'Without --status: what waits for review. With --status all also what people and unknown hands did.',
  examples: [
    { line: 'pal changes', does: 'what waits for review' },
    { line: 'pal changes --status all --path src/app.ts', does: 'everything that happened to one file' },
    { line: 'pal changes --call toolu_01 --json', does: 'what one tool call did, for a program' },
  ],
  define: (self, act) =>
    self
      .option('--session <id>', 'of this session')
      .option('--call <id>', 'of this tool call')
      .option('--path <path>', 'of this file')
      .addOption(
        new Option('--status <status>', 'that stand like this')
          .choices(['pending', 'accepted', 'rejected', 'conflict', 'all'])
          .default('pending'),
      )
      .action(
        act(async (face, { session, call, path, status }: Given) => {
          const client = await clientOf(face);
          const query = {
            status,
            ...(session === undefined ? {} : { session: await sessionNamed(client, session) }),
            ...(call === undefined ? {} : { call }),
            ...(path === undefined ? {} : { path: face.resolve(path) }),
          };
          const { changes } = said(await client.listChanges({ query: query }));
          const conflicts = changes.length > 0 || status !== 'pending' ? 0 : said(await client.status()).conflicts;
          return {
            json: { changes },
            text: (style) => (changes.length === 0 ? nothing(status, conflicts) : changesText(changes, style)),
          };
        }),
      ),
};

function nothing(status: Given['status'], conflicts: number): string {
  if (conflicts > 0)
    return `no pending changes, ${counted(conflicts, 'conflict')}: \`pal conflicts\` lists what waits to be settled`;
  return status === 'all'
    ? 'no changes have been recorded here'
    : `no ${status} changes (\`--status all\` shows every change there was)`;
}
