import type { Step } from './step.js';

export const step: Step = {
  title: 'An agent edits a file',
  async play({ agent, tell }) {
    await tell.say(
      'Before and after each tool call the agent’s hooks tell pal. So pal knows what the agent has seen, and what each call did.',
    );
    await agent.start('demo-agent');
    await tell.act('agent', 'Read greet.js');
    await agent.readFile('greet.js');
    await tell.act('agent', "Edit greet.js: 'Hello, ' becomes 'Hi, '");
    await agent.edit('greet.js', "'Hello, '", "'Hi, '");
    await tell.command(['changes']);
  },
};
