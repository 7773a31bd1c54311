import { failed, type Outcome } from '../outcome.js';
import { type PathError, parsePath, parseWindowsPath, type WorkspacePath } from '../path.js';

/**
 * A path as another program wrote it down. An absolute one must lie under one of `roots`: the workspace, and whatever
 * else stands for it, such as a session's worktree that may be gone. A text with backslashes and no slash is taken as
 * Windows wrote it.
 */
export function parseForeignPath(input: string, roots: readonly string[]): Outcome<WorkspacePath, PathError> {
  for (const root of roots) {
    const inside = below(input, root);
    if (inside !== null) return isWindows(root) ? parseWindowsPath(inside) : parsePath(inside);
  }
  if (isWindows(input)) return failed({ code: 'absolute', input });
  return input.includes('\\') && !input.includes('/') ? parseWindowsPath(input) : parsePath(input);
}

/** The absolute spelling of a workspace path, with the separator that `root` uses. */
export function absolutePath(root: string, path: WorkspacePath): string {
  if (!isWindows(root)) return `${root.replace(/\/+$/, '')}/${path}`;
  return `${root.replace(/[\\/]+$/, '')}\\${path.replaceAll('/', '\\')}`;
}

function below(input: string, root: string): string | null {
  const [text, prefix] = isWindows(root)
    ? [foldWindows(input), foldWindows(root)]
    : [foldPosix(input), foldPosix(root)];
  const start = prefix.endsWith('/') ? prefix : `${prefix}/`;
  if (!text.startsWith(start)) return null;
  // Folding keeps the length after the part that it may cut off in front, so the end can be taken from the original.
  return input.slice(input.length - (text.length - start.length));
}

/** Case does not tell Windows paths apart, nor does the kind of slash. */
function foldWindows(path: string): string {
  const folded = path.replaceAll('\\', '/').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return folded.startsWith('//?/') ? folded.slice('//?/'.length) : folded;
}

/** On a Mac `/tmp` and `/var` are other names for what is under `/private`. */
function foldPosix(path: string): string {
  return path.replace(/^\/private(?=\/(?:tmp|var)(?:\/|$))/, '');
}

function isWindows(path: string): boolean {
  return /^[A-Za-z]:[\\/]/.test(path) || path.startsWith('\\\\');
}
