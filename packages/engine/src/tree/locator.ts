import { failed, isGitInternal, type Outcome, type WorkspacePath } from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import { type ResolveOptions, resolveInWorkspace } from './resolve.js';

/** From a path as somebody wrote it, seen from `cwd`, to the one path the file has in the workspace. */
export type Locator = (written: string, cwd: string, lastLink?: LastLink) => Outcome<WorkspacePath, Refusal>;

/** What a link at the very end of a path means: the file it leads to, or itself. */
export type LastLink = NonNullable<ResolveOptions['lastLink']>;

/** `worktrees`: other folders whose files stand for those of the workspace; they may be gone by now. */
export function locatorFor(
  root: string,
  options: ResolveOptions & { readonly worktrees?: () => readonly string[] },
): Locator {
  const { worktrees = () => [], ...fixed } = options;
  return (written, cwd, lastLink = 'follow') => {
    const resolved = resolveInWorkspace(root, cwd, written, { ...fixed, lastLink, extraRoots: worktrees() });
    if (!resolved.ok) {
      const { code } = resolved.error;
      const outside = code === 'outside' || code === 'escapes';
      return failed(outside ? { code: 'outside', path: written } : { code: 'bad-path', path: written, why: code });
    }
    return isGitInternal(resolved.value) ? failed({ code: 'bad-path', path: written, why: 'git-internal' }) : resolved;
  };
}
