import type { BeginJson } from '@palimpsest/protocol';
import type { CommandFile } from '../../cli/command.js';
import { clientInTime, said } from '../../face/client.js';
import { EXIT } from '../../face/failure.js';
import { decisionText } from '../../print/decision.js';
import { parentIn } from '../../surroundings/within.js';

export const command: CommandFile = {
  summary: 'say that a tool call is about to run, and hear whether it may',
  section: 'Agents',
  details: `Reads one JSON object from standard input:
  {session, callId, tool, input, cwd?, agentId?, turn?, messageIndex?, parent?, observe?}
Answers {decision: allow | warn | deny, reason?, notices}; the exit code is 5 when it is denied.`,
  examples: [
    {
      line: `echo '{"session":"s","callId":"1","tool":"Edit","input":{"file_path":"a.ts"}}' | pal tool begin`,
      does: 'before an edit',
    },
  ],
  define: (self, act) =>
    self.action(
      act(async (face) => {
        const body = (await face.input()) as BeginJson;
        const client = await clientInTime(face);
        const answer = said(
          await client.beginCall({
            ...parentIn(face.surroundings.environment),
            ...body,
            cwd: body.cwd ?? face.directory,
          }),
        );
        return {
          json: answer,
          text: () => decisionText(answer),
          exit: answer.decision === 'deny' ? EXIT.denied : EXIT.done,
        };
      }),
    ),
};
