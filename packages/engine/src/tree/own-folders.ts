import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { asWorkspacePath, isInside } from './inside.js';

/** Where the system shows itself as files. Nobody works there, and reading them can have effects. */
const SYSTEM_FOLDERS = ['/proc', '/sys', '/dev'];

export function isSystemFolder(real: string): boolean {
  return process.platform !== 'win32' && SYSTEM_FOLDERS.some((folder) => isInside(folder, real));
}

/** Those of our own folders that are inside the workspace, as paths in it, however they were spelled. */
export function ownFoldersIn(root: string, own: readonly string[]): readonly string[] {
  const inside = own.map(realPlace).filter((place) => place !== root && isInside(root, place));
  return [...new Set(inside)].map((place) => asWorkspacePath(root, place));
}

/** Free of links, also for a folder that is yet to be made. */
export function realPlace(place: string): string {
  try {
    return realpathSync.native(place);
  } catch {
    const above = dirname(place);
    return above === place ? place : join(realPlace(above), basename(place));
  }
}
