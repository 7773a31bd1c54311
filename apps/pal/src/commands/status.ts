import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { droppedRemarks, missedRemarks } from '../hook/missed-remark.js';
import { statusText } from '../print/status.js';

export const command: CommandFile = {
  summary: 'show how the workspace stands',
  section: 'Look',
  details: 'Sessions, what waits for review, what is stale for whom, what is not covered, and what it costs.',
  examples: [
    { line: 'pal status', does: 'about the workspace around this folder' },
    { line: 'pal -C ../app status --json', does: 'about another one, for a program' },
  ],
  define: (self, act) =>
    self.action(
      act(async (face) => {
        const client = await clientOf(face);
        const found = said(await client.status());
        const remarks = [...missedRemarks(face.data, found.workspace.root), ...droppedRemarks(face.surroundings)];
        const status = { ...found, remarks: [...found.remarks, ...remarks] };
        return { json: status, text: (style) => statusText(status, style) };
      }),
    ),
};
