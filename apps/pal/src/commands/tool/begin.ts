import type { CommandFile } from '../../cli/command.js';
import { say } from '../../cli/say.js';

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
  define: (self, act) => self.action(act((face) => say('tool begin', face))),
};
