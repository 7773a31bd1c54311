import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { plainStyle } from '../print/plain.js';
import { buildProgram } from './program.js';

/** Every command with the words that call it; groups too. */
function* commandsOf(command: Command, words: readonly string[]): Generator<readonly [readonly string[], Command]> {
  for (const one of command.commands) {
    const called = [...words, one.name()];
    yield [called, one];
    yield* commandsOf(one, called);
  }
}

test('[INT3d] every command explains itself with an example', async () => {
  let said = '';
  const program = await buildProgram([], {
    version: '',
    act: () => async () => undefined,
    paint: plainStyle().paint,
    help: (text) => {
      said += text;
    },
  });
  const all = [...commandsOf(program, [])];
  const names = all.map(([words]) => words.join(' '));
  expect(names).toEqual(expect.arrayContaining(['status', 'run', 'session', 'session start', 'tool begin', 'demo']));
  for (const [words, command] of all) {
    said = '';
    command.outputHelp();
    expect(said).toContain(`Usage: pal ${words.join(' ')}`);
    if (command.commands.length === 0) expect(said).toMatch(/\nExamples:\n {2}.*pal/);
  }
});
