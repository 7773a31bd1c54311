import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type ApartFile,
  type FileVersion,
  isSame,
  type Located,
  type Side,
  type WorkspacePath,
} from '@palimpsest/core';
import type { OpenPlace } from '../place/place.js';
import type { FileWrite } from '../write/writer.js';

/** A file that is to become another on one side. */
export type Landing = { readonly apart: ApartFile; readonly file: Located | null };

/** `taken`: those at whose name another file stands. */
export type Landings = { readonly writes: readonly FileWrite[]; readonly taken: readonly Landing[] };

/**
 * What is to be written on one side for files that come from the other. They may change places among themselves. A folder
 * that a removal leaves empty goes if the other side has it no more.
 */
export function landingsOn(side: Side, landings: readonly Landing[], to: OpenPlace, from: OpenPlace): Landings {
  const leaving = new Map<WorkspacePath, FileVersion>();
  for (const { apart } of landings) {
    const now = apart[side];
    if (now !== null) leaving.set(now.path, now.version);
  }
  const isTaken = ({ file }: Landing) => file !== null && !leaving.has(file.path) && to.known.get(file.path) !== null;
  const taken = landings.filter(isTaken);
  if (taken.length > 0) {
    const rest = landingsOn(
      side,
      landings.filter((one) => !taken.includes(one)),
      to,
      from,
    );
    return { writes: rest.writes, taken: [...taken, ...rest.taken] };
  }
  const writes = new Map<WorkspacePath, FileWrite>();
  for (const { apart, file } of landings) {
    const now = apart[side];
    if (file === null || isSame(now, file)) continue;
    const movedFrom = now !== null && now.path !== file.path ? { movedFrom: now.path } : {};
    writes.set(file.path, {
      path: file.path,
      expected: leaving.get(file.path) ?? null,
      next: file.version,
      ...movedFrom,
    });
  }
  for (const { apart, file } of landings) {
    const now = apart[side];
    if (now === null || now.path === file?.path || writes.has(now.path)) continue;
    const foldersSinceMs = existsSync(join(from.root, dirname(now.path))) ? Number.MAX_SAFE_INTEGER : 0;
    writes.set(now.path, { path: now.path, expected: now.version, next: null, foldersSinceMs });
  }
  return { writes: [...writes.values()], taken: [] };
}
