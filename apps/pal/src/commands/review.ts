import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { Failure } from '../face/failure.js';
import { paintFor } from '../print/paint.js';

export const command: CommandFile = {
  summary: 'review in the terminal, hunk by hunk',
  section: 'Look',
  details:
    'By keys: j and k go from hunk to hunk, a accepts, r rejects, c rejects and tells the agent why, u undoes, ? lists the ' +
    'rest. Where the terminal cannot do that, and in a pipe, it asks line by line, as `git add -p` does.',
  examples: [
    { line: 'pal review', does: 'goes through all that waits' },
    { line: "printf 'a\\nq\\n' | pal review", does: 'accepts the first hunk' },
  ],
  define: (self, act) =>
    self.action(
      act(async (face) => {
        if (face.format === 'json')
          throw new Failure('usage', '`pal review` is for people', '`pal show --json` has the same for programs');
        const client = await clientOf(face);
        const { environment } = face.surroundings;
        const isTerminal = process.stdout.isTTY === true;
        const paint = paintFor({ isTerminal, environment });
        const isFull = isTerminal && process.stdin.isTTY === true && (environment.TERM ?? 'dumb') !== 'dumb';
        if (isFull) await (await import('../review/full-screen.js')).reviewFullScreen(client, paint);
        else await (await import('../review/by-prompts.js')).reviewByPrompts(client, paint);
        const { pending } = said(await client.status());
        return { json: { pending }, text: () => leftText(pending.hunks) };
      }),
    ),
};

function leftText(hunks: number): string {
  return hunks === 0 ? 'nothing is left to review' : `${hunks} ${hunks === 1 ? 'hunk waits' : 'hunks wait'} for review`;
}
