import { isAbsolute, relative, sep } from 'node:path';
import { failed, isGitInternal, isWithin, type Outcome, ok, parsePath, type WorkspacePath } from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type { Locator } from '../tree/locator.js';

/** Which paths are meant. */
export type Scope = (path: WorkspacePath) => boolean;

export function scopeOf(paths: readonly string[] | undefined, root: string, locate: Locator): Outcome<Scope, Refusal> {
  const named = namedPaths(paths, root, locate);
  return named.ok ? ok(scopeOfNamed(named.value)) : named;
}

export function scopeOfNamed(named: readonly WorkspacePath[] | null): Scope {
  return named === null ? () => true : (path) => named.some((above) => isWithin(path, above));
}

/**
 * A path names what stood there in the checkpoint, which may be a folder where there is a link now: so links are not
 * followed, except to find the workspace itself. Null stands for the whole workspace, which `.` means too.
 */
export function namedPaths(
  paths: readonly string[] | undefined,
  root: string,
  locate: Locator,
): Outcome<readonly WorkspacePath[] | null, Refusal> {
  if (paths === undefined) return ok(null);
  const wanted: WorkspacePath[] = [];
  for (const written of paths) {
    const inside = isAbsolute(written) ? relative(root, written).split(sep).join('/') : written;
    if (inside === '' || inside === '.' || inside === './') return ok(null);
    const parsed = parsePath(inside);
    const path = parsed.ok ? parsed : isAbsolute(written) ? locate(written, root) : outside(parsed.error, written);
    if (!path.ok) return path;
    if (isGitInternal(path.value)) return failed({ code: 'bad-path', path: written, why: 'git-internal' });
    wanted.push(path.value);
  }
  return ok(wanted);
}

function outside({ code }: { readonly code: string }, path: string): Outcome<WorkspacePath, Refusal> {
  return failed(
    code === 'escapes' || code === 'absolute' ? { code: 'outside', path } : { code: 'bad-path', path, why: code },
  );
}
