import { readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize, parse, resolve, sep } from 'node:path';
import { failed, type Outcome, ok, PATH_LENGTH_LIMIT, type WorkspacePath } from '@palimpsest/core';
import { asWorkspacePath, isInside } from './inside.js';
import { lstatAt } from './stat.js';

type ResolveError = {
  readonly code:
    | 'empty'
    | 'nul'
    | 'too-long'
    /** It names the workspace itself, not something in it. */
    | 'root'
    | 'outside'
    /** It looks inside, but a link on the way leads out. */
    | 'escapes'
    | 'loop';
  readonly input: string;
};

export type ResolveOptions = {
  /** Other folders whose paths mean workspace paths, such as worktrees of sessions; they need not exist any more. */
  readonly extraRoots?: readonly string[];
  /** What a link at the very end means: tools that read and edit go through it, removing and renaming do not. */
  readonly lastLink?: 'follow' | 'keep';
  /** `diskIgnoresCase` finds out. */
  readonly ignoresCase?: boolean;
};

/** From whatever an agent or a person wrote to the one path that a file has in the workspace. It need not exist yet. */
export function resolveInWorkspace(
  root: string,
  cwd: string,
  input: string,
  options: ResolveOptions = {},
): Outcome<WorkspacePath, ResolveError> {
  if (input === '') return failed({ code: 'empty', input });
  if (input.includes('\0')) return failed({ code: 'nul', input });
  if (input.length > PATH_LENGTH_LIMIT) return failed({ code: 'too-long', input });
  const roots = [root, ...(options.extraRoots ?? [])].flatMap(spellings);
  const asked = normalize(isAbsolute(input) ? input : resolve(root, cwd, input));
  const place = withoutTrailingSlash(asked);
  const real = realPlace(place, options);
  if (real === null) return failed({ code: 'loop', input });
  const home = innermost(roots, real) ?? innermost(roots, place);
  if (home === null) return failed({ code: 'outside', input });
  if (!isInside(home, real)) {
    // A root that is gone cannot be followed through links, so its paths count as they are written.
    if (realOrNull(home) !== null) return failed({ code: 'escapes', input });
    return place === home ? failed({ code: 'root', input }) : ok(asWorkspacePath(home, place));
  }
  return real === home ? failed({ code: 'root', input }) : ok(asWorkspacePath(home, real));
}

/** Whether the disk takes `A` and `a` for one name, seen on the workspace's own folder. */
export function diskIgnoresCase(root: string): boolean {
  const { dir, base } = parse(root);
  const swapped = base === base.toLowerCase() ? base.toUpperCase() : base.toLowerCase();
  if (swapped === base) return false;
  const here = lstatAt(root);
  const there = lstatAt(join(dir, swapped));
  return typeof here !== 'string' && typeof there !== 'string' && here.ino === there.ino && here.dev === there.dev;
}

/** As many links as the kernel follows before it gives up. */
const LINKS_LIMIT = 40;

/**
 * The place without links; what does not exist yet is kept as written below the last
 * folder that does. Null for a loop.
 */
function realPlace(place: string, options: ResolveOptions): string | null {
  const start = parse(place).root;
  let done = start;
  let waiting = place
    .slice(start.length)
    .split(sep)
    .filter((segment) => segment !== '');
  let links = 0;
  while (waiting.length > 0) {
    const [segment = '', ...rest] = waiting;
    waiting = rest;
    if (segment === '..') {
      done = dirname(done);
      continue;
    }
    const next = join(done, options.ignoresCase === true ? asListed(done, segment) : segment);
    const stats = lstatAt(next);
    const keep = rest.length === 0 && options.lastLink === 'keep';
    if (typeof stats === 'string' || !stats.isSymbolicLink() || keep) {
      done = next;
      continue;
    }
    if (++links > LINKS_LIMIT) return null;
    const target = targetOrNull(next);
    if (target === null) {
      done = next;
      continue;
    }
    if (isAbsolute(target)) done = parse(target).root;
    waiting = [...target.split(sep).filter((part) => part !== '' && part !== '.'), ...rest];
  }
  return done;
}

/** The spelling that the disk keeps, when there is exactly one that differs in case or composition only. */
function asListed(folder: string, name: string): string {
  const names = listed(folder);
  if (names.includes(name)) return name;
  const folded = fold(name);
  const alike = names.filter((candidate) => fold(candidate) === folded);
  return alike.length === 1 && alike[0] !== undefined ? alike[0] : name;
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/**
 * A root as it was given and as it really is. macOS shows `/tmp` and `/var` as links into `/private`; for a root that
 * no longer exists both spellings are taken for the same.
 */
function spellings(root: string): string[] {
  const given = withoutTrailingSlash(resolve(root));
  const real = realOrNull(given);
  if (real !== null) return [given, real];
  const other = given.startsWith('/private/') ? given.slice('/private'.length) : `/private${given}`;
  return /^(\/private)?\/(tmp|var|etc)\//.test(given) ? [given, other] : [given];
}

/** A worktree may lie inside the workspace: then its paths are its own. */
function innermost(roots: readonly string[], place: string): string | null {
  let best: string | null = null;
  for (const root of roots) if (isInside(root, place) && (best === null || root.length > best.length)) best = root;
  return best;
}

function realOrNull(place: string): string | null {
  try {
    return realpathSync.native(place);
  } catch {
    return null;
  }
}

/** Null when the link was exchanged for something else meanwhile. */
function targetOrNull(place: string): string | null {
  try {
    return readlinkSync(place);
  } catch {
    return null;
  }
}

function withoutTrailingSlash(place: string): string {
  return place.length > 1 && place.endsWith(sep) ? place.slice(0, -1) : place;
}
