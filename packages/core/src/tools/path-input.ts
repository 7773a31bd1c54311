import { PATH_LENGTH_LIMIT } from '../path.js';
import { type Fields, textAt } from './input.js';

/** The path that a call names in one of the fields that agents use for it. */
export function pathAt(fields: Fields): string | undefined {
  const path = textAt(
    fields,
    'filepath',
    'path',
    'targetfile',
    'notebookpath',
    'absolutepath',
    'filename',
    'file',
    'relativepath',
    'relativeworkspacepath',
  );
  return path !== undefined && isPath(path) ? path : undefined;
}

/**
 * Plain text that is a path and nothing else. Text that reads like a command is never one, so that `rm -rf build` sent
 * to a file tool does not become a file of that name.
 */
export function pathFromText(text: string): string | undefined {
  const path = text.trim();
  if (!isPath(path) || /[|&;<>$`*?\n]/.test(path)) return undefined;
  const [first, ...rest] = path.split(/\s+/);
  if (rest.length === 0) return path;
  const command = COMMAND_WORDS.has(first ?? '') || rest.some((word) => word.startsWith('-'));
  return command ? undefined : path;
}

function isPath(text: string): boolean {
  return text !== '' && text.length <= PATH_LENGTH_LIMIT && !text.includes('\0');
}

/** First words that make plain text a command. */
const COMMAND_WORDS: ReadonlySet<string> = new Set(
  (
    'cat cp mv rm ls sed awk grep rg find git npm npx pnpm yarn node python python3 bash sh zsh echo printf touch tee head ' +
    'tail cd mkdir rmdir chmod chown ln make cargo go docker curl wget tar env sudo xargs sort uniq diff patch test eval'
  ).split(' '),
);
