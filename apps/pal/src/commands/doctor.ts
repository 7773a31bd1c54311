import type { CommandFile } from '../cli/command.js';
import { EXIT } from '../face/failure.js';
import { checksText } from '../print/checks.js';

export const command: CommandFile = {
  summary: 'find out what is wrong here, and how to mend it',
  section: 'More',
  details:
    'Looks at Node, git, the data directory, the disk, the clock, watching and the daemon. The exit code is 1 when something is wrong.',
  examples: [
    { line: 'pal doctor', does: 'check everything' },
    { line: 'pal doctor --json', does: 'the same for a program: {ok, checks: [{check, state, message, remedy?}]}' },
  ],
  define: (self, act) =>
    self.action(
      act(async (face) => {
        const { examine } = await import('../doctor/examine.js');
        const checks = await examine(face);
        const ok = checks.every(({ state }) => state !== 'wrong');
        return { json: { ok, checks }, text: (style) => checksText(checks, style), exit: ok ? EXIT.done : EXIT.failed };
      }),
    ),
};
