import { lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../surroundings/error-code.js';

/** What we keep in the data directory; `others`: what is there and not ours, because somebody chose a folder in use. */
export type OwnData = {
  readonly folder: string;
  readonly workspaces: number;
  readonly bytes: number;
  readonly others: readonly string[];
};

const OWN_FILE =
  /^(daemon\.(json|starting|log(\.\d+)?)|workspace\.lock([.-]\w+)?|(settings|wiring|hook-door)\.json|missed\.jsonl)$/;
const WORKSPACE = /^[0-9a-f]{16}$/;
/** Folders of ours, emptied before; outermost last. */
const OWN_FOLDERS = ['workspaces', 'plugins', '.'];

/** `leaving`: files that the wiring of agents has there, and takes with it. */
export function ownData(folder: string, leaving: readonly string[]): OwnData {
  const workspaces = workspacesIn(folder);
  const files = namesIn(folder).filter((name) => OWN_FILE.test(name));
  return {
    folder,
    workspaces: workspaces.length,
    bytes: [...files, ...workspaces].reduce((sum, name) => sum + bytesOf(join(folder, name)), 0),
    others: [
      ...namesIn(folder).filter((name) => !OWN_FILE.test(name) && !OWN_FOLDERS.includes(name)),
      ...namesIn(join(folder, 'workspaces'), 'workspaces').filter((name) => !workspaces.includes(name)),
      ...namesIn(join(folder, 'plugins'), 'plugins').filter((name) => !leaving.includes(join(folder, name))),
    ],
  };
}

/** By name, and never the folder as a whole: whatever else is in it stays. */
export function removeOwnData(folder: string): void {
  for (const name of workspacesIn(folder)) rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  for (const name of namesIn(folder)) if (OWN_FILE.test(name)) rmSync(join(folder, name), { force: true });
  for (const name of OWN_FOLDERS) {
    try {
      rmdirSync(join(folder, name));
    } catch (error) {
      if (!['ENOENT', 'ENOTEMPTY', 'ENOTDIR', 'EEXIST'].includes(errorCode(error))) throw error;
    }
  }
}

function workspacesIn(folder: string): readonly string[] {
  return namesIn(join(folder, 'workspaces'))
    .filter((name) => WORKSPACE.test(name))
    .map((name) => join('workspaces', name));
}

function namesIn(folder: string, under = ''): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(under, name));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return [];
    throw error;
  }
}

function bytesOf(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  return stat.isDirectory() ? namesIn(path, path).reduce((sum, name) => sum + bytesOf(name), 0) : stat.size;
}
