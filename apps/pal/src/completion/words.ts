import type { Command, Option } from 'commander';

/** What can be typed, as data; each shell's script is a function of it. */
export type CommandWords = {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionWords[];
  readonly commands: readonly CommandWords[];
  /** Fixed values of the first argument. */
  readonly choices: readonly string[];
};
export type OptionWords = {
  readonly short: string | null;
  readonly long: string | null;
  readonly summary: string;
  readonly takes: 'nothing' | 'folder' | 'file' | 'text' | readonly string[];
};

export function wordsOfCommand(command: Command): CommandWords {
  return {
    name: command.name(),
    summary: command.summary() || command.description(),
    options: command.options.map(optionWords),
    commands: command.commands.map(wordsOfCommand),
    choices: command.registeredArguments[0]?.argChoices ?? [],
  };
}

/** Every command with the words that lead to it, the program itself first. */
export function paths(
  words: CommandWords,
  before: readonly string[] = [],
): readonly (readonly [string, CommandWords])[] {
  return [[before.join(' '), words], ...words.commands.flatMap((command) => paths(command, [...before, command.name]))];
}

export function valueOptions(words: CommandWords): readonly string[] {
  const own = words.options.filter(({ takes }) => takes !== 'nothing').flatMap(flagsOf);
  return [...new Set([...own, ...words.commands.flatMap(valueOptions)])];
}

export function flagsOf({ short, long }: OptionWords): readonly string[] {
  return [short, long].filter((flag) => flag !== null);
}

function optionWords(option: Option): OptionWords {
  return {
    short: option.short ?? null,
    long: option.long ?? null,
    summary: option.description,
    takes: takes(option),
  };
}

function takes(option: Option): OptionWords['takes'] {
  if (!option.required && !option.optional) return 'nothing';
  if (option.argChoices !== undefined) return option.argChoices;
  if (/<(dir|folder)>/i.test(option.flags)) return 'folder';
  return /<(path|file)>/i.test(option.flags) ? 'file' : 'text';
}
