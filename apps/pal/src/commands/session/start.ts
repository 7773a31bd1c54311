import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import { sessionText } from '../../print/sessions.js';
import { parentIn } from '../../surroundings/within.js';

type Given = { readonly agent?: string; readonly id?: string; readonly title?: string; readonly model?: string };

export const command: CommandFile = {
  summary: 'start a session, or take one up again',
  section: 'Agents',
  details: 'Agents that are wired up with `pal init` do this by themselves.',
  examples: [
    { line: 'pal session start --agent my-agent', does: 'start one with a new id' },
    { line: 'pal session start --id nightly --json', does: 'start or resume one with an id of your own' },
  ],
  define: (self, act) =>
    self
      .option('--agent <name>', 'which agent it is')
      .option('--id <id>', 'its id; a new one is made without it')
      .option('--title <text>', 'what it is about')
      .option('--model <provider/name>', 'what it runs on')
      .action(
        act(async (face, given: Given) => {
          const client = await clientOf(face);
          const answer = said(
            await client.startSession({ body: { ...given, ...parentIn(face.surroundings.environment) } }),
          );
          return { json: answer, text: (style) => sessionText(answer.session, style) };
        }),
      ),
};
