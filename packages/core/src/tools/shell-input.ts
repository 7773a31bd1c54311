import type { Command } from './file-intent.js';
import { fieldsOf, flagAt, listAt, type ToolInput, textAt } from './input.js';

/** The command of a shell tool as one text for a shell, or null where the input has none. */
export function commandOf(input: ToolInput): Command | null {
  if (input.kind === 'nothing') return null;
  if (input.kind === 'text') return { text: input.text };
  const cwd = textAt(input.fields, 'cwd', 'workdir', 'workingdirectory', 'directory', 'dirpath');
  const text = textOf(input.fields);
  if (text === null) return null;
  return { text, ...(cwd === undefined || cwd === '' ? {} : { cwd }), ...(isDetached(input.fields) ? DETACHED : {}) };
}

const DETACHED = { background: true } as const;

function isDetached(fields: ReadonlyMap<string, unknown>): boolean {
  return flagAt(fields, 'runinbackground', 'isbackground', 'background', 'detach', 'detached', 'async');
}

function textOf(fields: ReadonlyMap<string, unknown>): string | null {
  const argv = listAt(fields, 'command', 'cmd', 'items', 'argv');
  if (argv !== undefined) return isWords(argv) ? textOfArguments(argv) : null;
  const several = listAt(fields, 'commands');
  if (several === undefined) return textAt(fields, 'command', 'cmd', 'script', 'commands', 'code', 'input') ?? null;
  const texts = several.map(textOfItem);
  if (texts.includes(null)) return null;
  // Each of them gets a shell of its own, so a `cd` in one must not reach the next.
  return texts.length === 1 ? (texts[0] ?? null) : texts.map((text) => `(\n${text}\n)`).join('\n');
}

function textOfItem(item: unknown): string | null {
  if (typeof item === 'string') return item;
  if (isWords(item)) return textOfArguments(item);
  const fields = fieldsOf(item);
  const command = textAt(fields, 'command', 'cmd');
  const rest = listAt(fields, 'args', 'arguments') ?? [];
  return command === undefined || !isWords(rest) ? null : [command, ...rest.map(quote)].join(' ');
}

function textOfArguments(words: readonly string[]): string {
  const [shell, option, script] = words;
  const wrapped = words.length === 3 && /(^|\/)(ba|z|da|k)?sh$/.test(shell ?? '') && /^-[a-z]*c$/.test(option ?? '');
  return wrapped ? (script ?? '') : words.map(quote).join(' ');
}

function isWords(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string');
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
