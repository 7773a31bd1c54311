import type { CommandFile } from '../cli/command.js';
import { openInBrowser } from '../cli/open-in-browser.js';
import { clientOf, said } from '../face/client.js';
import { uiText } from '../print/ui.js';

export const command: CommandFile = {
  summary: 'review in the browser: changes, timeline, blame, checkpoints',
  section: 'Look',
  details:
    'The address works once, within two minutes, and only on this machine; the browser is remembered for 30 days. ' +
    'Nothing is loaded from anywhere else.',
  examples: [
    { line: 'pal ui', does: 'opens the page in your browser' },
    { line: 'pal ui --no-open', does: 'prints an address that opens it' },
  ],
  define: (self, act) =>
    self.option('--no-open', 'print the address only').action(
      act(async (face, { open }: { open: boolean }) => {
        const client = await clientOf(face);
        const workspace = said(await client.workspaceId());
        const { url } = said(await client.makePageCode({ body: { workspace } }));
        const opened = open && face.format === 'text' && openInBrowser(url, face.surroundings);
        return { json: { url }, text: (style) => uiText(url, opened ? 'opened' : 'told', style) };
      }),
    ),
};
