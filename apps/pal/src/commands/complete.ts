import type { Client } from '@palimpsest/protocol';
import { Argument } from 'commander';
import type { CommandFile } from '../cli/command.js';
import { NAME_KINDS, type NameKind } from '../completion/words.js';
import { clientOf, runningDaemon, said } from '../face/client.js';

export const command: CommandFile = {
  summary: 'list ids for a shell to complete',
  section: 'More',
  details: `What the script of \`pal completion\` asks while somebody types: it starts nothing, and lists nothing where no daemon runs.
Ids in which a shell would find something to expand are left out.`,
  examples: [{ line: 'pal complete session', does: 'the sessions of this workspace, newest first' }],
  define: (self, act) =>
    self.addArgument(new Argument('<kind>', 'of what').choices(NAME_KINDS)).action(
      act(async (face, kind: NameKind) => {
        const isRunning = (await runningDaemon(face)) !== null;
        const all = isRunning ? await namesOf(await clientOf(face), kind) : [];
        const names = [...new Set(all)]
          .filter((name) => PLAIN.test(name))
          .toReversed()
          .slice(0, LISTED);
        return { json: { names }, text: () => names.join('\n'), verbatim: true };
      }),
    ),
};

/** Nothing that any shell expands, splits or takes for an option. */
const PLAIN = /^[A-Za-z0-9_/][\w@%+=:,./-]*$/;
const LISTED = 200;

async function namesOf(client: Client, kind: NameKind): Promise<readonly string[]> {
  switch (kind) {
    case 'session':
      return said(await client.listSessions()).sessions.map(({ id }) => id);
    case 'checkpoint':
      return said(await client.listCheckpoints({ query: {} })).checkpoints.map(({ id }) => id);
    case 'workspace':
      return said(await client.listWorkspaces()).workspaces.map(({ root }) => root);
    case 'change':
    case 'hunk':
    case 'call': {
      const { changes } = said(await client.listChanges({ query: {} }));
      if (kind === 'call') return changes.flatMap(({ callId }) => callId ?? []);
      return kind === 'change'
        ? changes.map(({ id }) => id)
        : changes.flatMap(({ hunks }) => hunks.map(({ id }) => id));
    }
  }
}
