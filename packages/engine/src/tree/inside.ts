import { relative, sep } from 'node:path';
import { trustPath, type WorkspacePath } from '@palimpsest/core';

/** Whether an absolute place is a folder or somewhere below it. Both must be free of links, or neither means anything. */
export function isInside(folder: string, place: string): boolean {
  return place === folder || place.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

export function asWorkspacePath(root: string, place: string): WorkspacePath {
  return trustPath(relative(root, place).split(sep).join('/'));
}
