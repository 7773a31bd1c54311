import type { Step } from './step.js';

export const step: Step = {
  title: 'No integration at all',
  async play({ tell }) {
    await tell.say('Any program can be watched, with no hooks: it becomes a session of its own.');
    await tell.command(['run', '--', 'sh', '-c', 'echo done > result.txt']);
    await tell.command(['status']);
  },
};
