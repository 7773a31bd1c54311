import type { Step } from './step.js';

export const step: Step = {
  title: 'What is stale, and how it becomes fresh',
  async play({ agent, tell }) {
    await tell.command(['stale']);
    await tell.say('Reading the file again is all it takes.');
    await tell.act('agent', 'Read greet.js');
    await agent.readFile('greet.js');
    await tell.act('agent', "Edit greet.js: 'Good morning, ' becomes 'Good day, '");
    const { decision } = await agent.edit('greet.js', "'Good morning, '", "'Good day, '");
    if (decision === 'deny') throw new Error('the edit of a fresh file was refused');
    await tell.act('pal', 'allows the call');
    await tell.command(['stale']);
  },
};
