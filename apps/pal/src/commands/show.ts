import type { ChangeJson, Client } from '@palimpsest/protocol';
import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import type { Face } from '../face/face.js';
import { changesText } from '../print/changes.js';
import { binaryText } from '../print/diff.js';
import { changeText } from '../print/show.js';

type Given = { readonly call?: string; readonly session?: string; readonly path?: string; readonly stat?: true };

export const command: CommandFile = {
  summary: 'show changes as diffs: all that is pending, or those that are named',
  section: 'Look',
  details:
    'On a terminal a long text goes through PAL_PAGER, PAGER or less. After each @@ stand the ids of the hunks below it, and how those stand that are decided. With --json: {change, hunks} for one change that is named, {changes: [{change, hunks}]} otherwise.',
  examples: [
    { line: 'pal show', does: 'all that waits for review' },
    { line: 'pal show c12.1', does: 'who made it, and its diff' },
    { line: 'pal show --call toolu_01', does: 'all that one tool call did' },
    { line: 'pal show --session 7f3a --stat', does: 'what one session did, a line for each' },
    { line: 'pal show c12.1 --json', does: 'with its hunks and their text' },
  ],
  define: (self, act) =>
    self
      .argument('[change...]', 'ids, as `pal changes` lists them; c12 is all of operation 12')
      .option('--call <id>', 'all of this tool call; the beginning of its id is enough')
      .option('--session <id>', 'all of this session; the beginning of its id is enough')
      .option('--path <path>', "all of this file, in this folder, or under 'lib/**'")
      .option('--stat', 'one line for each, without the diffs')
      .action(
        act(async (face, ids: readonly string[], given: Given) => {
          const client = await clientOf(face);
          const chosen = await chosenIds(face, client, ids, given);
          const shown: { change: ChangeJson; hunks: ChangeJson['hunks'] }[] = [];
          for (const id of chosen) shown.push(said(await client.getChange({ params: { change: id } })));
          const [only] = shown;
          const json = ids.length === 1 && !isOperation(ids[0]!) ? only! : { changes: shown };
          if (face.format === 'json') return { json, text: () => '' };
          if (shown.length === 0) return { json, text: () => NOTHING };
          const changes = shown.map(({ change }) => change);
          if (given.stat) return { json, text: (style) => changesText(changes, style) };
          const patches: (string | null)[] = [];
          for (const change of changes) patches.push(await patchOf(client, change));
          return {
            json,
            pages: true,
            verbatim: true,
            text: (style) => changes.map((change, index) => changeText(change, patches[index]!, style)).join('\n'),
          };
        }),
      ),
};

const NOTHING = 'no pending changes (`pal changes --status all` lists every change there was)';

async function chosenIds(face: Face, client: Client, ids: readonly string[], given: Given): Promise<readonly string[]> {
  const { call, session, path } = given;
  const named = ids.map((id) => id.replace(/^(c\d+\.\d+)\.\d+$/, '$1'));
  const where = { call, session, path: path === undefined ? undefined : face.resolve(path) };
  const isNarrowed = Object.values(where).some((one) => one !== undefined);
  if (ids.length > 0 && !isNarrowed && !ids.some(isOperation)) return [...new Set(named)];
  const queries =
    ids.length === 0
      ? [{ status: isNarrowed ? 'all' : 'pending', ...where } as const]
      : [...new Set(named)].map((change) => ({ status: 'all', change, ...where }) as const);
  const found: string[] = [];
  for (const query of queries) for (const { id } of said(await client.listChanges({ query })).changes) found.push(id);
  return found;
}

function isOperation(id: string): boolean {
  return /^c\d+$/.test(id);
}

/** Null where the bytes are not kept: what happened can be told all the same. */
async function patchOf(client: Client, change: ChangeJson): Promise<string | null> {
  const { id, reversible, binary } = change;
  if (!reversible) return null;
  if (binary) return binaryText(change);
  const patch = await client.getPatch({ params: { change: id } });
  if (!patch.ok && patch.error.error.code === 'unknown-content') return null;
  return new TextDecoder().decode(said(patch));
}
