import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { blameText } from '../print/blame.js';

export const command: CommandFile = {
  summary: 'show who wrote each line of a file',
  section: 'Look',
  details: 'Which session, agent, tool call and prompt, or which human edit, each line comes from.',
  examples: [
    { line: 'pal blame src/app.ts', does: 'who wrote each line' },
    { line: 'pal blame src/app.ts --json', does: 'with the call and the prompt behind each' },
  ],
  define: (self, act) =>
    self.argument('<path>', 'a file of the workspace').action(
      act(async (face, path: string) => {
        const client = await clientOf(face);
        const { lines } = said(await client.blame({ query: { path: face.resolve(path) } }));
        return {
          json: { lines },
          pages: true,
          text: (style) => (lines.length === 0 ? 'the file is empty' : blameText(lines, style)),
        };
      }),
    ),
};
