import type { Command } from 'commander';
import type { Face } from '../face/face.js';
import type { Style } from '../print/style.js';

/**
 * One command: a file in `commands/` that exports `command`. Its name is the file's name; a folder is a group, and a
 * file in it a command of that group. Adding a file is all it takes: dispatch, help and completion read the folder.
 */
export type CommandFile = {
  readonly summary: string;
  readonly section: Section;
  readonly examples: readonly Example[];
  /** More than the summary, for `--help`. */
  readonly details?: string;
  readonly define: (command: Command, act: Act) => void;
};

/** Describes a folder of commands; exported as `group` by `group.ts` in it. */
export type CommandGroup = { readonly summary: string; readonly section: Section };

/** `does` completes the sentence "this command line …". */
export type Example = { readonly line: string; readonly does: string };

export const SECTIONS = ['Look', 'Work', 'Agents', 'Keep', 'Daemon', 'More'] as const;
export type Section = (typeof SECTIONS)[number];

/** Makes a commander action of a function that answers. */
export type Act = <Given extends readonly unknown[]>(
  run: (face: Face, ...given: Given) => Promise<Answer>,
) => (...given: Given) => Promise<void>;

/** What a command has to say, once for programs and once for people. */
export type Answer = Said | Stream;
export type Said = {
  readonly json: unknown;
  readonly text: (style: Style) => string;
  /** One of ours, or that of the program that was run. */
  readonly exit?: number;
  /** Where the text goes; a command that runs another program leaves stdout to it. */
  readonly on?: 'out' | 'err';
  /** A long text that a person at a terminal goes through in a pager. */
  readonly pages?: true;
  /** A text that programs read as well, or a patch: it is printed as it is, however wide the terminal. */
  readonly verbatim?: true;
};
/** `--follow`: JSON Lines, or one text after the other. */
export type Stream = { readonly each: AsyncIterable<Omit<Said, 'exit'>> };
