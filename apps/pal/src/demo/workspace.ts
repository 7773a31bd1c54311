import type { Step } from './step.js';

export const GREET = `export function greet(name) {
  return 'Hello, ' + name;
}

export function part(name) {
  return 'Goodbye, ' + name;
}
`;

export const step: Step = {
  title: 'A workspace',
  async play({ stage, tell }) {
    stage.write('greet.js', GREET);
    stage.write('README.md', '# Greetings\n\nSays hello.\n');
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      ['-c', 'user.name=You', '-c', 'user.email=you@example.invalid', 'commit', '-qm', 'first'],
    ]) {
      const { exit, stderr } = await stage.run('git', args);
      if (exit !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`);
    }
    await tell.say(
      'This is a throw-away git repository with two files. A scripted agent will work in it, and a scripted human too.',
    );
    await tell.say(
      'Palimpsest keeps its own history beside the repository. The repository itself is never written to.',
    );
    await tell.command(['status']);
  },
};
