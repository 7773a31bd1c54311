import type { Command, Option } from 'commander';

/** What can be typed, as data; each shell's script is a function of it. */
export type CommandWords = {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionWords[];
  readonly commands: readonly CommandWords[];
  /** Fixed values of the first argument. */
  readonly choices: readonly string[];
  /** What its arguments name, where that can be asked for. */
  readonly names: NameKind | null;
};
export type OptionWords = {
  readonly short: string | null;
  readonly long: string | null;
  readonly summary: string;
  readonly takes: 'nothing' | 'folder' | 'file' | 'text' | readonly string[] | { readonly names: NameKind };
};

/** What `pal complete KIND` lists. */
export const NAME_KINDS = ['change', 'hunk', 'session', 'call', 'checkpoint', 'workspace'] as const;
export type NameKind = (typeof NAME_KINDS)[number];

export function wordsOfCommand(command: Command, group: string | null = null): CommandWords {
  return {
    name: command.name(),
    summary: command.summary() || command.description(),
    options: command.options.map(optionWords),
    commands: command.commands.map((inner) => wordsOfCommand(inner, command.name())),
    choices: command.registeredArguments[0]?.argChoices ?? [],
    names: kindOf(command.registeredArguments[0]?.name() ?? '', group),
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

/** `<id>` is of what the group is about; `diff [from] [to]` is of checkpoints. */
function kindOf(argument: string, group: string | null): NameKind | null {
  const named = argument === 'id' ? (group ?? '') : argument === 'from' ? 'checkpoint' : argument;
  return NAME_KINDS.find((kind) => kind === named) ?? null;
}

function takes(option: Option): OptionWords['takes'] {
  if (!option.required && !option.optional) return 'nothing';
  const names = kindOf(option.attributeName(), null);
  if (names !== null) return { names };
  if (option.argChoices !== undefined) return option.argChoices;
  if (/<(dir|folder)>/i.test(option.flags)) return 'folder';
  return /<(path|file)>/i.test(option.flags) ? 'file' : 'text';
}
