import { existsSync, realpathSync } from 'node:fs';
import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { Failure } from '../face/failure.js';
import { forgottenWorkspaceText } from '../print/workspaces.js';

type Given = { readonly yes?: true; readonly dryRun?: true };

export const command: CommandFile = {
  summary: 'remove all that is kept of a workspace; its own files stay',
  section: 'Keep',
  details:
    'Its log, checkpoints and contents go for good, and cannot be had back. Without --yes it only says what would go.',
  examples: [
    { line: 'pal forget-workspace ../old', does: 'see what would go' },
    { line: 'pal forget-workspace ../old --yes', does: 'remove it' },
  ],
  define: (self, act) =>
    self
      .argument('<workspace>', 'its folder, or its id, as `pal workspaces` lists it')
      .option('--yes', 'really remove it')
      .option('--dry-run', 'say what would be done, and do nothing')
      .action(
        act(async (face, named: string, { yes, dryRun }: Given) => {
          const client = await clientOf(face);
          const { workspaces } = said(await client.listWorkspaces());
          const place = face.resolve(named);
          const real = existsSync(place) ? realpathSync(place) : place;
          const found = workspaces.find(({ id, root }) => id === named || root === real);
          if (found === undefined) throw unknown(named);
          const how = yes && !dryRun ? 'done' : 'dry-run';
          const body = how === 'done' ? {} : { dryRun: true };
          const answer = said(await client.forgetWorkspace({ params: { workspace: found.id }, body }));
          return { json: answer, text: (style) => forgottenWorkspaceText(answer.workspace, how, style) };
        }),
      ),
};

function unknown(named: string): Failure {
  return new Failure(
    'unknown-workspace',
    `no workspace is known by ${JSON.stringify(named)}`,
    '`pal workspaces` lists them',
  );
}
