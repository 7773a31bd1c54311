import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';

/** Where the system shows itself as files. Nobody works there, and reading them can have effects. */
const SYSTEM_FOLDERS = ['/proc', '/sys', '/dev'];

export function isSystemFolder(real: string): boolean {
  return process.platform !== 'win32' && SYSTEM_FOLDERS.some((folder) => isAtOrBelow(real, folder));
}

export function isAtOrBelow(place: string, folder: string): boolean {
  return place === folder || place.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** Those of our own folders that are inside the workspace, as paths in it, however they were spelled. */
export function ownFoldersIn(root: string, own: readonly string[]): readonly string[] {
  const inside = own.map(realPlace).filter((place) => place !== root && isAtOrBelow(place, root));
  return [...new Set(inside)].map((place) => relative(root, place).split(sep).join('/'));
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
