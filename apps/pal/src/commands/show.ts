import type { ChangeJson, Client } from '@palimpsest/protocol';
import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { sessionNamed } from '../face/session-named.js';
import { changesText } from '../print/changes.js';
import { changeText } from '../print/show.js';

type Given = { readonly call?: string; readonly session?: string; readonly stat?: true };

export const command: CommandFile = {
  summary: 'show changes as diffs: all that is pending, or those that are named',
  section: 'Look',
  details: 'With --json: {change, hunks} for one change that is named, {changes: [{change, hunks}]} otherwise.',
  examples: [
    { line: 'pal show', does: 'all that waits for review' },
    { line: 'pal show c12.1', does: 'who made it, and its diff' },
    { line: 'pal show --call toolu_01', does: 'all that one tool call did' },
    { line: 'PAL_TERMINAL=100 pal show c12.1 | less -R', does: 'the same in a pager, in colour' },
    { line: 'pal show c12.1 --json', does: 'with its hunks and their text' },
  ],
  define: (self, act) =>
    self
      .argument('[change...]', 'ids, as `pal changes` lists them')
      .option('--call <id>', 'all of this tool call')
      .option('--session <id>', 'all of this session')
      .option('--stat', 'one line for each, without the diffs')
      .action(
        act(async (face, ids: readonly string[], given: Given) => {
          const client = await clientOf(face);
          const chosen = ids.length > 0 ? ids : (await listed(client, given)).map(({ id }) => id);
          const shown: { change: ChangeJson; hunks: ChangeJson['hunks'] }[] = [];
          for (const id of chosen) shown.push(said(await client.getChange({ params: { change: id } })));
          const [only] = shown;
          const json = ids.length === 1 ? only! : { changes: shown };
          if (face.format === 'json') return { json, text: () => '' };
          if (shown.length === 0) return { json, text: () => NOTHING };
          const changes = shown.map(({ change }) => change);
          if (given.stat) return { json, text: (style) => changesText(changes, style) };
          const patches: (string | null)[] = [];
          for (const change of changes) patches.push(await patchOf(client, change));
          return {
            json,
            text: (style) => changes.map((change, index) => changeText(change, patches[index]!, style)).join('\n'),
          };
        }),
      ),
};

const NOTHING = 'no pending changes (`pal changes --status all` lists every change there was)';

async function listed(client: Client, { call, session }: Given): Promise<readonly ChangeJson[]> {
  const status = call === undefined && session === undefined ? 'pending' : 'all';
  const query = {
    status,
    ...(call === undefined ? {} : { call }),
    ...(session === undefined ? {} : { session: await sessionNamed(client, session) }),
  } as const;
  return said(await client.listChanges({ query: query })).changes;
}

/** Null where the bytes are not kept: what happened can be told all the same. */
async function patchOf(client: Client, { id, reversible }: ChangeJson): Promise<string | null> {
  if (!reversible) return null;
  const patch = await client.getPatch({ params: { change: id } });
  if (!patch.ok && patch.error.error.code === 'unknown-content') return null;
  return new TextDecoder().decode(said(patch));
}
