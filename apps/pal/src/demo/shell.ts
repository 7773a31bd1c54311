import type { Step } from './step.js';

export const step: Step = {
  title: 'A shell command counts too',
  async play({ agent, tell }) {
    await tell.say('What a command writes is found by looking at the files, not by understanding the command.');
    const command =
      "sed -i.bak 's/Says hello/Says hello and goodbye/' README.md && rm README.md.bak && echo 'try: node greet.js' > USAGE.txt";
    await tell.act('agent', `Bash: ${command}`);
    await agent.shell(command);
    await tell.command(['changes', '--call', 'call-3']);
    await tell.say(
      'One call, two files, two changes, each with its exact bytes before and after. Each can be looked at by its id.',
    );
  },
};
