import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@palimpsest/protocol';
import { Option } from 'commander';
import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { sessionNamed } from '../../face/session-named.js';
import { counted } from '../../print/amount.js';
import { harmless, harmlessLines } from '../../print/harmless.js';
import { sessionReport } from '../../print/session-report.js';

type Format = keyof typeof FORMATS | 'md';
type Given = { readonly format: Format; readonly out?: string };

/** `json` is one JSON file per change; the others are the `task_metadata.json` of those programs. */
const FORMATS = { json: 'records', roo: 'roo', cline: 'cline' } as const;

export const command: CommandFile = {
  summary: 'write a session as a report, or in the format of others',
  section: 'Agents',
  examples: [
    { line: 'pal session export 7f3a --format md', does: 'a report in Markdown, for a pull request' },
    { line: 'pal session export 7f3a --out changes', does: 'one JSON file per change, in that folder' },
    { line: 'pal session export 7f3a --format cline --out task', does: 'what it saw, as task_metadata.json' },
  ],
  define: (self, act) =>
    self
      .argument('<id>', 'as `pal session list` shows it')
      .addOption(
        new Option('--format <format>', 'which format').choices([...Object.keys(FORMATS), 'md']).default('json'),
      )
      .option('--out <folder>', 'where to write the files; without it they are printed')
      .action(
        act(async (face, id: string, { format, out }: Given) => {
          const client = await clientOf(face);
          const files = await filesOf(client, await sessionNamed(client, id), format);
          if (out === undefined)
            return {
              json: { files },
              text: () => files.map(({ text }) => harmlessLines(text)).join('\n'),
              verbatim: true,
            };
          const folder = face.resolve(out);
          mkdirSync(folder, { recursive: true });
          for (const { name, text } of files) {
            // A link that a repository put there would lead the writing elsewhere.
            rmSync(join(folder, name), { force: true });
            writeFileSync(join(folder, name), text, { flag: 'wx' });
          }
          const written = files.map(({ name }) => join(folder, name));
          return { json: { written }, text: () => `${counted(files.length, 'file')} written to ${harmless(folder)}` };
        }),
      ),
};

async function filesOf(client: Client, id: string, format: Format) {
  const params = { session: id };
  if (format !== 'md') return said(await client.exportSession({ params, query: { format: FORMATS[format] } })).files;
  const { session } = said(await client.getSession({ params }));
  const { prompts } = said(await client.listPrompts({ params }));
  const { changes } = said(await client.listChanges({ query: { session: id, status: 'all' } }));
  return [{ name: 'session.md', text: sessionReport({ session, prompts, changes }) }];
}
