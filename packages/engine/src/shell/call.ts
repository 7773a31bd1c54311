import type { Effect } from '@palimpsest/core';
import type { Argument } from './words.js';

/** One simple command with its words expanded, as the tables of commands see it. */
export interface Call {
  readonly args: readonly Argument[];
  /** The text that a here-document gives it, where that is known. */
  readonly here: string | null;
  /** Notes a file that will be written; a name that is not known opens the prediction. */
  writes(target: Argument, extent?: 'file' | 'tree', effect?: Effect | null): void;
  /** Says that this command may write what was not noted. */
  open(): void;
}

/** Notes what one command writes. */
export type CommandRule = (call: Call) => void;

export function joined(folder: Argument, name: string): Argument {
  const text = folder.text.endsWith('/') ? folder.text + name : `${folder.text}/${name}`;
  return { text, certain: folder.certain };
}
