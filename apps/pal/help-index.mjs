import { Help } from 'commander';
import { buildProgram, termOf } from './dist/cli/program.js';
import { paintFor } from './dist/print/paint.js';

/** What `pal --help` says of each command, by the output of `tsc -b`, so that it need not load all of them. */
export async function helpIndex() {
  const paint = paintFor({ isTerminal: false, environment: {} });
  const program = await buildProgram([], { version: '', act: () => () => undefined, paint, help: () => undefined });
  const help = new Help();
  return program.commands.map((command) => ({
    name: command.name(),
    term: termOf(command),
    summary: help.subcommandDescription(command),
    group: command.helpGroup(),
  }));
}
