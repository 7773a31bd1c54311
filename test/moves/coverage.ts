import type { Shot } from './photograph.js';

/** Folders that the worlds use for what is not covered: dependencies, and builds that are ignored. */
export const UNCOVERED_FOLDERS = ['node_modules', 'dist'];
/** Bytes beyond this are not kept, only noticed. */
export const KEPT_BYTES = 10 * 1024 * 1024;

const SCRATCH = /(^|\/)(\.tmp[^/]*|\.[^/]*\.sw[a-z]|[^/]*\.orig|\.#[^/]*)(\/|$)/;

/** What the product says that it covers, in our own words. */
export function isCovered(path: string, shot: Shot): boolean {
  if (shot.mode === 'special' || shot.mode === 'unreadable') return false;
  if (path.split('/').some((name) => UNCOVERED_FOLDERS.includes(name))) return false;
  return !SCRATCH.test(path);
}

/** The worlds' own ignore rule. */
export function isIgnored(path: string): boolean {
  return path.split('/').some((name) => name === 'ign' || name.endsWith('.log') || UNCOVERED_FOLDERS.includes(name));
}

export const IGNORE_RULES = 'ign/\n*.log\nnode_modules/\ndist/\n';
