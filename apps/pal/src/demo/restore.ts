import type { Step } from './step.js';

export const step: Step = {
  title: 'Back to a moment',
  async play({ stage, agent, tell }) {
    await tell.say('Checkpoints of the whole tree are saved by themselves, around every call that changes something.');
    await tell.command(['checkpoint', 'save', '-m', 'before the clean-up']);
    await tell.act('agent', 'Bash: rm -f *.txt *.md');
    await agent.shell('rm -f *.txt *.md');
    await tell.act('human', 'writes notes.org');
    stage.write('notes.org', 'mine\n');
    const { stdout } = await stage.pal(['checkpoint', 'list', '--json']);
    const { checkpoints } = JSON.parse(stdout) as { checkpoints: readonly { id: string; reason: string }[] };
    const saved = checkpoints.filter(({ reason }) => reason === 'manual').at(-1);
    if (saved === undefined) throw new Error('the demo has no checkpoint');
    await tell.command(['diff', saved.id]);
    await tell.command(['checkpoint', 'restore', saved.id, '--keep-mine']);
    await tell.say('With --keep-mine only what agents did is taken back. How it was before is a checkpoint too.');
  },
};
