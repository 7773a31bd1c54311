import { failed, type Outcome, ok } from './outcome.js';

declare const pathBrand: unique symbol;

/**
 * A path inside a workspace: relative, `/` between segments, no `.` or `..`, never empty. It is parsed once where it
 * enters and trusted afterwards. The characters are kept as they came: `é` composed and `é` decomposed are two files
 * wherever the disk says so, and a backslash is an ordinary character of a POSIX name.
 */
export type WorkspacePath = string & { readonly [pathBrand]: true };

export type PathError = {
  readonly code: 'empty' | 'nul' | 'absolute' | 'escapes' | 'too-long';
  readonly input: string;
};

/** Longest path that Linux accepts in one call; longer ones cannot name a file. */
export const PATH_LENGTH_LIMIT = 4096;

export function parsePath(input: string): Outcome<WorkspacePath, PathError> {
  if (input.includes('\0')) return failed({ code: 'nul', input });
  if (input.length > PATH_LENGTH_LIMIT) return failed({ code: 'too-long', input });
  if (isAbsolute(input)) return failed({ code: 'absolute', input });
  const segments = input.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..')) return failed({ code: 'escapes', input });
  if (segments.length === 0) return failed({ code: 'empty', input });
  const path = segments.join('/');
  // A drive letter may have hidden behind a `./`, and whoever parses the path again must not find another one.
  return isAbsolute(path) ? failed({ code: 'absolute', input }) : ok(path as WorkspacePath);
}

/** Windows spelling: both slashes separate, drive letters and UNC prefixes are absolute. */
export function parseWindowsPath(input: string): Outcome<WorkspacePath, PathError> {
  return parsePath(input.replaceAll('\\', '/'));
}

/** For paths written in code and for names that came from a directory listing: a bad one is a bug. */
export function asPath(input: string): WorkspacePath {
  const parsed = parsePath(input);
  if (!parsed.ok) throw new Error(`not a workspace path (${parsed.error.code}): ${JSON.stringify(input)}`);
  return parsed.value;
}

/**
 * Trusts a name that the disk or git listed below the root. It skips parsing, because a file may really be called
 * `C:\x`, and because a hundred thousand of them arrive at once.
 */
export function trustPath(listed: string): WorkspacePath {
  return listed as WorkspacePath;
}

export function parentOf(path: WorkspacePath): WorkspacePath | null {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? null : (path.slice(0, slash) as WorkspacePath);
}

export function nameOf(path: WorkspacePath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function isWithin(path: WorkspacePath, folder: WorkspacePath): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Git's own data is never content of the workspace, at any depth. */
export function isGitInternal(path: WorkspacePath): boolean {
  return path === '.git' || path.startsWith('.git/') || path.includes('/.git/') || path.endsWith('/.git');
}

/** For sentences: a name that would break out of its line, or hide in it, is quoted and escaped. */
export function spokenPath(path: string): string {
  return /^[^\p{C}\p{Zl}\p{Zp}"]+$/u.test(path)
    ? path
    : JSON.stringify(path).replace(/[\u007f-\u009f\u2028\u2029]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function isAbsolute(input: string): boolean {
  return input.startsWith('/') || input.startsWith('\\\\') || /^[A-Za-z]:[\\/]/.test(input);
}
