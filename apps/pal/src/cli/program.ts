import { Command, CommanderError, Option } from 'commander';
import { Failure } from '../face/failure.js';
import { folded } from '../print/folded.js';
import type { Paint } from '../print/paint.js';
import { catalogue, type Entry, type HelpLine, helpIndex, loadCommand, loadGroup } from './catalogue.js';
import { type Act, type CommandFile, SECTIONS } from './command.js';

export type ProgramOptions = {
  readonly version: string;
  readonly act: Act;
  readonly paint: Paint;
  readonly help: (text: string) => void;
};

/** The command line as commander sees it, with only the commands loaded that these arguments can mean. */
export async function buildProgram(args: readonly string[], options: ProgramOptions): Promise<Command> {
  const program: Command = shape(new Command('pal'), options)
    .description('Keeps the truth about a workspace in which coding agents and people work.')
    .usage('[-C DIR] COMMAND [--json]')
    .version(options.version, '-V, --version', 'print the version')
    .addOption(new Option('-C <dir>', 'work in DIR instead of here').helpGroup('Everywhere:'))
    .addOption(new Option('--json', 'answer with one JSON document').helpGroup('Everywhere:'))
    .addHelpCommand(new Command('help').argument('[command...]').description('explain a command').helpGroup('More:'))
    .addHelpText('after', `\n${GOOD_TO_KNOW}`);
  program.allowExcessArguments(false);
  const index = wantsOverview(args) ? helpIndex() : null;
  if (index !== null) return withOverview(program, index);
  const loaded = await Promise.all(wanted(args).map(async (entry) => ({ entry, file: await loadCommand(entry) })));
  loaded.sort((a, b) => SECTIONS.indexOf(a.file.section) - SECTIONS.indexOf(b.file.section));
  const groups = new Map<string, Command>();
  for (const { entry, file } of loaded) {
    const [first, second] = entry.words as [string, string?];
    if (second === undefined) {
      program.addCommand(define(new Command(first), file, options));
      continue;
    }
    let group = groups.get(first);
    if (group === undefined) {
      group = await defineGroup(first, options);
      groups.set(first, group);
      program.addCommand(group);
    }
    group.addCommand(define(new Command(second), file, options));
  }
  return program;
}

/** `pal --help` alone. */
function wantsOverview(args: readonly string[]): boolean {
  return wordsOf(args).length === 0 && args.some((arg) => arg === '--help' || arg === '-h');
}

function withOverview(program: Command, index: readonly HelpLine[]): Command {
  const terms = new Map(index.map(({ name, term }) => [name, term]));
  const subcommandTerm = (command: Command) => terms.get(command.name()) ?? command.name();
  program.configureHelp({ ...program.configureHelp(), subcommandTerm });
  for (const { name, summary, group } of index)
    if (name !== 'help') program.addCommand(new Command(name).summary(summary).helpGroup(group));
  return program;
}

export function isUsageError(error: unknown): error is CommanderError {
  return error instanceof CommanderError;
}

/** A usage error of commander as one of ours; null when it only wanted to stop after showing help or the version. */
export function usageFailure(error: CommanderError, args: readonly string[]): Failure | null {
  if (error.exitCode === 0) return null;
  const message = error.message
    .replace(/^error: /, '')
    .replace(
      /\n\(Did you mean (?:one of )?(.*)\?\)$/,
      (_, near: string) => `; did you mean ${near.replaceAll(', ', ' or ')}?`,
    );
  const command = commandIn(wordsOf(args));
  return new Failure(
    'usage',
    message === '(outputHelp)' ? `\`pal${command}\` needs to be told what to do` : message,
    `\`pal${command} --help\` shows how it is used`,
  );
}

/** As much of the words as names a command, or a group of them, with a space before each. */
function commandIn(words: readonly string[]): string {
  const all = catalogue().map((entry) => entry.words);
  const length = [2, 1].find((count) =>
    all.some((entry) => words.length >= count && words.slice(0, count).every((word, at) => word === entry[at])),
  );
  return words
    .slice(0, length ?? 0)
    .map((word) => ` ${word}`)
    .join('');
}

/** Everything that is not an option or the folder after -C, up to where another program's words begin. */
export function wordsOf(args: readonly string[]): readonly string[] {
  const words: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (arg === '--') break;
    if (arg === '-C') at++;
    else if (!arg.startsWith('-')) words.push(arg);
  }
  return words;
}

const GOOD_TO_KNOW = `Exit codes: 0 done, 1 failed, 2 wrong usage, 3 conflict or the world moved,
4 not found, 5 denied.
No agent at hand? \`pal demo\` shows everything in a throw-away workspace.`;

/** `pal` alone and `pal help …` are other spellings of `--help`; commander's own `help` goes only one word deep. */
export function spelledOut(args: readonly string[]): readonly string[] {
  if (args.length === 0) return ['--help'];
  return args[0] === 'help' ? [...args.slice(1), '--help'] : args;
}

/** Null where `help` is asked about something that there is. */
export function unknownTopic(given: readonly string[]): Failure | null {
  const [help, ...topic] = wordsOf(given);
  if (help !== 'help' || topic.length === 0) return null;
  const all = catalogue();
  const isPart = (words: readonly string[]) => topic.every((word, index) => words[index] === word);
  if (all.some(({ words }) => isPart(words)) || topic[0] === 'help') return null;
  const near = all.filter(({ words }) => words[0] === topic[0]).map(({ words }) => words.join(' '));
  return new Failure(
    'usage',
    `there is no help on ${topic.join(' ')}`,
    near.length === 0 ? '`pal help` lists the commands' : `there is help on ${near.join(', ')}`,
  );
}

function wanted(args: readonly string[]): readonly Entry[] {
  const words = wordsOf(args);
  if (words.length === 0 && args.some((arg) => arg === '--version' || arg === '-V')) return [];
  const all = catalogue();
  const matching = all.filter((entry) => entry.words[0] === words[0]);
  return matching.length > 0 ? matching : all;
}

async function defineGroup(name: string, options: ProgramOptions): Promise<Command> {
  const { summary, section } = await loadGroup(name);
  const group = shape(new Command(name), options).description(summary).helpGroup(`${section}:`);
  group.helpCommand(false);
  return group;
}

function define(command: Command, file: CommandFile, options: ProgramOptions): Command {
  shape(command, options)
    .summary(file.summary)
    .description(
      file.details === undefined
        ? `${sentence(file.summary)}`
        : `${sentence(file.summary)}\n\n${flowing(file.details)}`,
    )
    .helpGroup(`${file.section}:`)
    .addHelpText('after', () => examplesOf(file, options.paint));
  command.allowExcessArguments(false);
  file.define(command, options.act);
  return command;
}

/** What every command has in common: errors are thrown to us, and help goes where we say. */
function shape(command: Command, { help, paint }: ProgramOptions): Command {
  return command
    .exitOverride()
    .configureOutput({
      writeOut: help,
      writeErr: () => undefined,
      outputError: () => undefined,
      getOutHasColors: () => true,
    })
    .configureHelp({
      styleTitle: paint.strong,
      styleCommandText: paint.name,
      styleOptionTerm: paint.name,
      styleSubcommandTerm: paint.name,
      showGlobalOptions: true,
      subcommandTerm: termOf,
      minWidthToWrap: NARROWEST_HELP,
    })
    .helpOption('-h, --help', 'explain this command');
}

/** A command in the overview: that one has options its own help says. */
export function termOf(command: Command): string {
  const args = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? ` <${name}>` : ` [${name}]`;
  });
  return `${command.name()}${args.join('')}`;
}

const HELP_WIDTH = 80;
/** Commander leaves what has fewer columns than this to the terminal, which breaks words. */
const NARROWEST_HELP = 30;

/** What each does stands beside it, or below where that would be too wide for a terminal. */
function examplesOf({ examples }: CommandFile, paint: Paint): string {
  const widest = Math.max(...examples.map(({ line }) => line.length));
  const beside = examples.every(({ does }) => widest + does.length + 4 <= HELP_WIDTH);
  const lines = examples.map(({ line, does }) =>
    beside
      ? `  ${paint.name(line.padEnd(widest))}  ${paint.quiet(does)}`
      : `  ${paint.name(line)}\n      ${paint.quiet(folded(does, HELP_WIDTH - 6).join('\n      '))}`,
  );
  return `\n${paint.strong('Examples:')}\n${lines.join('\n')}`;
}

function sentence(summary: string): string {
  return `${summary[0]!.toUpperCase()}${summary.slice(1)}.`;
}

/** Lines of a paragraph are joined, for the terminal to break; what is indented stays as it is. */
function flowing(text: string): string {
  return text.replace(/^(?! )(.+)\n(?=[^ \n])/gm, '$1 ');
}
