import type { Step } from './step.js';

export const step: Step = {
  title: 'A person edits behind the agent’s back',
  async play({ stage, agent, tell }) {
    await tell.act('human', "edits greet.js in an editor: 'Hi, ' becomes 'Good morning, '");
    stage.write('greet.js', stage.read('greet.js').replace("'Hi, '", "'Good morning, '"));
    await tell.say('The agent does not know. It goes on with what it saw, and tries to write the file from memory:');
    await tell.act('agent', "Edit greet.js: 'Hi, ' becomes 'Hi there, '");
    const { decision, reason } = await agent.edit('greet.js', "'Hi, '", "'Hi there, '");
    if (decision !== 'deny') throw new Error(`the stale edit was not refused: ${decision}`);
    await tell.act('pal', 'refuses the call (exit code 5). This is what the agent is told:');
    await tell.quote(reason ?? '');
    await tell.say('Nothing was written. The human’s words are still there.');
  },
};
