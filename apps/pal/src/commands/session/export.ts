import type { Client } from '@palimpsest/protocol';
import { Option } from 'commander';
import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { sessionNamed } from '../../face/session-named.js';
import { type ExportedFile, writeFolder } from '../../face/write-folder.js';
import { counted } from '../../print/amount.js';
import { harmless, harmlessLines } from '../../print/harmless.js';
import { sessionReport } from '../../print/session-report.js';

type Format = keyof typeof FORMATS | 'md';
type Given = { readonly format: Format; readonly out?: string };

/** `json` is one JSON file per change; the others are the task folders of those programs. */
const FORMATS = { json: 'records', roo: 'roo', cline: 'cline' } as const;

export const command: CommandFile = {
  summary: 'write a session as a report, or in the format of others',
  section: 'Agents',
  details:
    'With --out, a file of the same name that is there already is moved aside first, as NAME.aside-1, unless it holds the same. The old claude_messages.json of a task that was taken up from this folder goes once the new files are written.',
  examples: [
    { line: 'pal session export 7f3a --format md', does: 'a report in Markdown, for a pull request' },
    { line: 'pal session export 7f3a --out changes', does: 'one JSON file per change, in that folder' },
    { line: 'pal session export 7f3a --format roo --out task', does: 'a task folder of Roo, with all that was said' },
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
          const { files, legacy } = await filesOf(client, await sessionNamed(client, id), format);
          if (out === undefined)
            return {
              json: { files },
              text: () => files.map(({ text }) => harmlessLines(text)).join('\n'),
              verbatim: true,
            };
          const folder = face.resolve(out);
          const done = writeFolder(folder, files, legacy);
          const lines = [
            `${counted(files.length, 'file')} written to ${folder}`,
            ...done.aside.map((name) => `what was there is ${name} now`),
            ...(done.removed === null ? [] : [`${done.removed} is gone: all of it is in the new files`]),
          ];
          return { json: done, text: () => lines.map(harmless).join('\n') };
        }),
      ),
};

type Exported = { readonly files: readonly ExportedFile[]; readonly legacy: string | null };

async function filesOf(client: Client, id: string, format: Format): Promise<Exported> {
  const params = { session: id };
  if (format !== 'md') {
    const answer = said(await client.exportSession({ params, query: { format: FORMATS[format] } }));
    return { files: answer.files, legacy: answer.legacy ?? null };
  }
  const { session } = said(await client.getSession({ params }));
  const { prompts } = said(await client.listPrompts({ params }));
  const { changes } = said(await client.listChanges({ query: { session: id, status: 'all' } }));
  const { entries } = said(await client.getTimeline({ params }));
  return {
    files: [{ name: 'session.md', text: sessionReport({ session, prompts, changes, timeline: entries }) }],
    legacy: null,
  };
}
