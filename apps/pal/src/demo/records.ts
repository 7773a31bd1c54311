import type { Step } from './step.js';

export const step: Step = {
  title: 'The records',
  async play({ stage, tell }) {
    await tell.say('Everything is one log. Who did what is kept apart: the human’s edit is the human’s.');
    await tell.command(['changes', '--status', 'all', '--path', 'greet.js']);
    const { stdout } = await stage.pal(['changes', '--status', 'all', '--path', 'greet.js', '--json']);
    const { changes } = JSON.parse(stdout) as { changes: readonly { id: string; session: string | null }[] };
    const last = changes.filter(({ session }) => session !== null).at(-1);
    if (last !== undefined) await tell.command(['show', last.id]);
  },
};
