import { VERSION } from '@palimpsest/protocol/light';
import { buildProgram } from './dist/cli/program.js';
import { paintFor } from './dist/print/paint.js';

/** The man page, by the output of `tsc -b`, made of the same help that `pal help COMMAND` prints. */
export async function manPage() {
  const paint = paintFor({ isTerminal: false, environment: {} });
  const program = await buildProgram([], { version: '', act: () => () => undefined, paint, help: () => undefined });
  const commands = leaves(program, []).filter(([words]) => words[0] !== 'help');
  const page = [
    `.TH PAL 1 "" "palimpsest ${VERSION}" "User Commands"`,
    '.SH NAME',
    'pal \\- the truth about a workspace in which coding agents and people work',
    '.SH SYNOPSIS',
    '.B pal',
    '[\\-C DIR] COMMAND [\\-\\-json]',
    '.SH DESCRIPTION',
    ...verbatim(helpOf(program)),
    '.SH COMMANDS',
    ...commands.flatMap(([words, command]) => [`.SS pal ${roff(words.join(' '))}`, ...verbatim(helpOf(command))]),
  ];
  return `${page.join('\n')}\n`;
}

/** In roff a backslash begins an escape, a dash is a hyphen, and a dot or quote at the start of a line is a request. */
const roff = (text) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');
const verbatim = (text) => ['.nf', roff(text.trimEnd()), '.fi'];

const leaves = (command, words) =>
  command.commands.length === 0
    ? [[words, command]]
    : command.commands.flatMap((child) => leaves(child, [...words, child.name()]));

function helpOf(command) {
  const parts = [];
  command.configureOutput({
    ...command.configureOutput(),
    writeOut: (text) => parts.push(text),
    getOutHelpWidth: () => 78,
  });
  command.outputHelp();
  return parts.join('');
}
