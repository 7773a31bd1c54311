import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { CommandFile, CommandGroup } from './command.js';

/** A command by the words that call it: `['status']`, `['session', 'start']`. */
export type Entry = { readonly words: readonly string[]; readonly file: URL };

const FOLDER = new URL('../commands/', import.meta.url);
const GROUP = 'group';
/** Compiled, we are JavaScript among maps and declarations; under the test runner we are the source itself. */
const EXTENSION = extname(import.meta.url);

/** Every command there is, by looking at the folder; nothing of them is loaded. */
export function catalogue(): readonly Entry[] {
  return readdirSync(FOLDER, { withFileTypes: true })
    .flatMap((item) =>
      item.isDirectory() ? inFolder(new URL(`${item.name}/`, FOLDER), [item.name]) : entryOf(FOLDER, item.name, []),
    )
    .sort((a, b) => (a.words.join(' ') < b.words.join(' ') ? -1 : 1));
}

export async function loadCommand({ file }: Entry): Promise<CommandFile> {
  return ((await import(file.href)) as { command: CommandFile }).command;
}

export async function loadGroup(name: string): Promise<CommandGroup> {
  return ((await import(new URL(`${name}/${GROUP}${EXTENSION}`, FOLDER).href)) as { group: CommandGroup }).group;
}

/** What `pal --help` says of a command. */
export type HelpLine = {
  readonly name: string;
  readonly term: string;
  readonly summary: string;
  readonly group: string;
};

/** Made when we are built; null where it is not there, and all commands have to be loaded to know. */
export function helpIndex(): readonly HelpLine[] | null {
  try {
    return JSON.parse(readFileSync(new URL('../help-index.json', import.meta.url), 'utf8')) as readonly HelpLine[];
  } catch {
    return null;
  }
}

function inFolder(folder: URL, words: readonly string[]): readonly Entry[] {
  return readdirSync(folder).flatMap((name) => entryOf(folder, name, words));
}

function entryOf(folder: URL, name: string, words: readonly string[]): readonly Entry[] {
  const isSource = extname(name) === EXTENSION && !/\.(test|fixture|d)\.\w+$/.test(name);
  const word = basename(name, EXTENSION);
  return isSource && word !== GROUP ? [{ words: [...words, word], file: new URL(name, folder) }] : [];
}
