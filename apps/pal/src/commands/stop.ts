import type { CommandFile } from '../cli/command.js';
import { stopDaemon } from '../cli/stopping.js';

export const command: CommandFile = {
  summary: 'stop the daemon; the next command starts it again',
  section: 'Daemon',
  examples: [{ line: 'pal stop', does: 'when it has finished what it was asked to do' }],
  define: (self, act) =>
    self.action(
      act(async (face) => {
        const pid = await stopDaemon(face);
        if (pid === null) return { json: { stopped: false }, text: () => 'the daemon is not running' };
        return { json: { stopped: true, pid }, text: () => `stopped the daemon (process ${pid})` };
      }),
    ),
};
