import { Option } from 'commander';
import type { CommandFile } from '../../cli/command.js';
import { WORKTREE_MODES, type WorktreeMode } from '../../cli/worktree-modes.js';
import { clientOf, said } from '../../face/client.js';
import { sessionText } from '../../print/sessions.js';
import { parentIn } from '../../surroundings/within.js';

type Given = {
  readonly agent?: string;
  readonly id?: string;
  readonly title?: string;
  readonly model?: string;
  readonly worktree?: WorktreeMode;
};

export const command: CommandFile = {
  summary: 'start a session, or take one up again',
  section: 'Agents',
  details: `Agents that are wired up with \`pal init\` do this by themselves. With --worktree it gets a folder of its own with what the
workspace holds now; if that cannot be made, no session is started.`,
  examples: [
    { line: 'pal session start --agent my-agent', does: 'start one with a new id' },
    { line: 'pal session start --agent my-agent --worktree review', does: 'start one in a folder of its own' },
    { line: 'pal session start --id nightly --json', does: 'start or resume one with an id of your own' },
  ],
  define: (self, act) =>
    self
      .option('--agent <name>', 'which agent it is')
      .option('--id <id>', 'its id; a new one is made without it')
      .option('--title <text>', 'what it is about')
      .option('--model <provider/name>', 'what it runs on')
      .addOption(
        new Option(
          '--worktree <mode>',
          'in a worktree, which flows back at once (auto) or when accepted (review)',
        ).choices(WORKTREE_MODES),
      )
      .action(
        act(async (face, given: Given) => {
          const client = await clientOf(face);
          const answer = said(
            await client.startSession({
              body: { ...given, ...parentIn(face.surroundings.environment), directory: face.directory },
            }),
          );
          return { json: answer, text: (style) => sessionText(answer.session, style) };
        }),
      ),
};
