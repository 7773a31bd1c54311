import type { Step } from './step.js';

export const step: Step = {
  title: 'Taking a change back, around your own edits',
  async play({ stage, agent, tell }) {
    await tell.act('agent', 'Edit greet.js: Goodbye becomes Farewell');
    await agent.edit('greet.js', "'Goodbye, '", "'Farewell, '");
    await tell.act('human', 'adds a line to the same file');
    stage.write('greet.js', `${stage.read('greet.js')}\nconsole.log(greet('Ada'));\n`);
    await tell.command(['blame', 'greet.js']);
    const { stdout } = await stage.pal(['changes', '--path', 'greet.js', '--json']);
    const { changes } = JSON.parse(stdout) as { changes: readonly { id: string }[] };
    const last = changes.at(-1);
    if (last === undefined) throw new Error('the demo has no change to take back');
    await tell.command(['reject', last.id, '--comment', 'goodbye was fine']);
    await tell.command(['blame', 'greet.js']);
    await tell.say(
      'The agent’s text is gone, the human’s line stayed, and the agent hears the comment with its next call.',
    );
    await tell.command(['undo']);
    await tell.say('That can be undone, as every decision can, and the undoing too.');
  },
};
