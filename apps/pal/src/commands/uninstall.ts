import { AGENT_NAMES } from '../agents/agents.js';
import type { CommandFile } from '../cli/command.js';
import { stopDaemon } from '../cli/stopping.js';
import { runningDaemon } from '../face/client.js';
import { EXIT, Failure } from '../face/failure.js';
import { withProgress } from '../print/progress.js';
import { uninstallJson, uninstallText } from '../print/uninstall.js';
import { ownData, removeOwnData, type Step, worktreesAmong } from '../uninstall/own-data.js';
import { readLedger } from '../wiring/ledger.js';
import { dropAddress, isObstructed, unwire } from '../wiring/wiring.js';

export const command: CommandFile = {
  summary: 'take pal out of every agent, stop the daemon and, if asked, remove the data',
  section: 'Daemon',
  details: `Puts the files of all agents back as they were and stops the daemon. What was recorded stays, and is there again when
pal is used again; --data removes it, for all workspaces: the log, the checkpoints, and every way back.
The program itself is removed by whoever installed it: npm uninstall --global palimpsest.`,
  examples: [
    { line: 'pal uninstall --dry-run', does: 'say what would go' },
    { line: 'pal uninstall', does: 'out of all agents; the data stays' },
    { line: 'pal uninstall --data', does: 'the same, and the data goes too' },
  ],
  define: (self, act) =>
    self
      .option('--data', 'remove all that was recorded, for every workspace')
      .option('--dry-run', 'say it and do nothing')
      .action(
        act(async (face, { data: wanted, dryRun }: { readonly data?: true; readonly dryRun?: true }) => {
          const manner = dryRun === true ? 'pretend' : 'do';
          const { surroundings, data, directory } = face;
          const worktrees = wanted === true ? worktreesAmong(data) : [];
          if (worktrees.length > 0) throw hasWorktrees(worktrees);
          const options = { surroundings, data, workspace: directory, scope: 'user', strictness: 'lenient' } as const;
          const wired = unwire(AGENT_NAMES, { ...options, address: null }, manner);
          const planned = wired.flatMap(({ rewrites }) => rewrites.map(({ path }) => path));
          const shared = Object.keys(readLedger(data)).filter((path) => !planned.includes(path));
          if (manner === 'do') dropAddress(data, wired);
          const pid = manner === 'do' ? await stopDaemon(face) : ((await runningDaemon(face))?.pid ?? null);
          const kept = await stepwise('measuring what was recorded', (onStep) => ownData(data, planned, onStep));
          // What an agent's file was before us is part of the data, and is still needed for one that could not be put back.
          const obstructed = wired.some(isObstructed);
          const removes = wanted === true && !obstructed;
          if (removes && manner === 'do')
            await stepwise('removing what was recorded', (onStep) => removeOwnData(data, onStep));
          const facts = { manner, wired, shared, pid, data: kept, fate: removes ? 'removed' : 'kept' } as const;
          return {
            json: uninstallJson(facts),
            text: (style) => uninstallText(facts, style),
            exit: obstructed ? EXIT.failed : EXIT.done,
          };
        }),
      ),
};

function hasWorktrees(worktrees: readonly string[]): Failure {
  const message = `worktrees of sessions are among the data: ${worktrees.join(', ')}`;
  return new Failure(
    'has-worktrees',
    message,
    'nothing was removed; finish them first: `pal worktree list` shows them',
  );
}

/** Says how far it is, where it takes long. */
function stepwise<T>(what: string, work: (onStep: Step) => Promise<T>): Promise<T> {
  let far = '';
  return withProgress(
    () => `${what}${far}`,
    () =>
      work((done, of) => {
        far = `: ${done} of ${of} workspaces`;
      }),
  );
}
