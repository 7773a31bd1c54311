import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Option } from 'commander';
import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { counted } from '../../print/amount.js';
import { harmless, harmlessLines } from '../../print/harmless.js';

type Given = { readonly format: 'roo' | 'cline' | 'json'; readonly out?: string };

/** `json` is one JSON file per change; the others are the `task_metadata.json` of those programs. */
const FORMATS = { json: 'records', roo: 'roo', cline: 'cline' } as const;

export const command: CommandFile = {
  summary: 'write a session in the format of others',
  section: 'Agents',
  examples: [
    { line: 'pal session export 7f3a --out changes', does: 'one JSON file per change, in that folder' },
    { line: 'pal session export 7f3a --format cline --out task', does: 'what it saw, as task_metadata.json' },
  ],
  define: (self, act) =>
    self
      .argument('<id>', 'as `pal session list` shows it')
      .addOption(new Option('--format <format>', 'which format').choices(Object.keys(FORMATS)).default('json'))
      .option('--out <folder>', 'where to write the files; without it they are printed')
      .action(
        act(async (face, id: string, { format, out }: Given) => {
          const client = await clientOf(face);
          const query = { format: FORMATS[format] };
          const { files } = said(await client.exportSession({ params: { session: id }, query }));
          if (out === undefined)
            return { json: { files }, text: () => files.map(({ text }) => harmlessLines(text)).join('\n') };
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
