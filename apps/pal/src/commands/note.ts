import type { CommandFile } from '../cli/command.js';
import { say } from '../cli/say.js';

export const command: CommandFile = {
  summary: 'say what was shown to an agent, or said to it, without a tool call',
  section: 'Agents',
  details: `Reads one JSON object from standard input, one of
  {session, kind: read | mention, path, lines?: [from, to]}
  {session, kind: prompt, text, turn?}
  {session, kind: cut}   what was shown before is no longer in front of the model
  {kind: saved, path}    a person's editor saved a file`,
  examples: [
    { line: `echo '{"session":"s","kind":"read","path":"a.ts"}' | pal note`, does: 'the session has seen a.ts' },
  ],
  define: (self, act) => self.action(act((face) => say('note', face))),
};
