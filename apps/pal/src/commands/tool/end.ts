import type { CommandFile } from '../../cli/command.js';
import { say } from '../../cli/say.js';

export const command: CommandFile = {
  summary: 'say that a tool call has run, and hear what it changed',
  section: 'Agents',
  details: `Reads one JSON object from standard input: {session, callId, ok?, output?, shown?}
"shown" is the [first, last] line that a read put in front of the model, if its tool cut the file short.
Answers {changes, perhaps}: what it changed, and what it or another may have changed. Twice is the same as once.`,
  examples: [{ line: `echo '{"session":"s","callId":"1"}' | pal tool end --json`, does: 'after an edit' }],
  define: (self, act) => self.action(act((face) => say('tool end', face))),
};
