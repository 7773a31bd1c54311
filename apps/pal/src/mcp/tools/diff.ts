import type { ChangeJson, Client } from '@palimpsest/protocol';
import { z } from 'zod';
import { said } from '../../face/client.js';
import { Failure } from '../../face/failure.js';
import { binaryText } from '../../print/diff.js';
import { tool } from './tool.js';

/** More than this is no help to a model; the rest can be had change by change. */
export const DIFF_CHARS_LIMIT = 100_000;

export const diffTool = tool({
  name: 'pal_diff',
  title: 'Show a change as a diff',
  description:
    'A unified diff of one change, by its id, or of all changes of one file that wait for review, one after the other.',
  effect: 'looks',
  input: z.object({
    change: z.string().optional().meta({ description: 'The id of a change, as pal_changes lists it.' }),
    path: z.string().optional().meta({ description: 'A file, relative to the root of the workspace.' }),
  }),
  output: z.object({
    diff: z.string(),
    changes: z.array(z.string()).meta({ description: 'The ids of the changes in it, oldest first.' }),
    cut: z.boolean().meta({ description: 'Not all of it fitted.' }),
  }),
  async run({ change, path }, { connection }) {
    const client = await connection.client();
    const changes = await wanted(client, change, path);
    const diffs: string[] = [];
    for (const one of changes) diffs.push(await diffOf(client, one));
    const whole = diffs.join('\n');
    const cut = whole.length > DIFF_CHARS_LIMIT;
    const diff = cut ? whole.slice(0, whole.lastIndexOf('\n', DIFF_CHARS_LIMIT) + 1) : whole;
    const text = changes.length === 0 ? 'no change of it waits for review' : diff;
    return {
      text: cut ? `${text}[cut here: ask for single changes]` : text,
      data: { diff, changes: changes.map(({ id }) => id), cut },
    };
  },
});

async function wanted(
  client: Client,
  change: string | undefined,
  path: string | undefined,
): Promise<readonly ChangeJson[]> {
  if ((change === undefined) === (path === undefined)) throw new Failure('bad-input', 'say either `change` or `path`');
  return change === undefined
    ? said(await client.listChanges({ query: { path: path! } })).changes
    : [said(await client.getChange({ params: { change } })).change];
}

const decoder = new TextDecoder();

export async function diffOf(client: Client, change: ChangeJson): Promise<string> {
  const { id, path, reversible, binary } = change;
  if (!reversible) return `# ${id} ${path}: its bytes are not kept, so there is no diff\n`;
  if (binary) return binaryText(change);
  return decoder.decode(said(await client.getPatch({ params: { change: id } })));
}
