import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../surroundings/error-code.js';
import { ownWorktreesIn } from '../surroundings/own-worktree.js';

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

/** How far something is that goes through all workspaces. */
export type Step = (done: number, of: number) => void;

/** `leaving`: files that the wiring of agents has there, and takes with it. */
export async function ownData(folder: string, leaving: readonly string[], onStep: Step): Promise<OwnData> {
  const workspaces = workspacesIn(folder);
  let bytes = 0;
  for (const [index, name] of workspaces.entries()) {
    onStep(index, workspaces.length);
    bytes += await bytesOf(join(folder, name));
  }
  for (const name of namesIn(folder)) if (OWN_FILE.test(name)) bytes += await bytesOf(join(folder, name));
  return {
    folder,
    workspaces: workspaces.length,
    bytes,
    others: [
      ...namesIn(folder).filter((name) => !OWN_FILE.test(name) && !OWN_FOLDERS.includes(name)),
      ...namesIn(join(folder, 'workspaces'), 'workspaces').filter((name) => !workspaces.includes(name)),
      ...namesIn(join(folder, 'plugins'), 'plugins').filter((name) => !leaving.includes(join(folder, name))),
    ],
  };
}

/** Worktrees of sessions, which git's entries in the users' repositories lead to: they must be finished before. */
export function worktreesAmong(folder: string): readonly string[] {
  return workspacesIn(folder).flatMap((name) => ownWorktreesIn(join(folder, name)));
}

/** By name, and never the folder as a whole: whatever else is in it stays. */
export async function removeOwnData(folder: string, onStep: Step): Promise<void> {
  const workspaces = workspacesIn(folder);
  for (const [index, name] of workspaces.entries()) {
    onStep(index, workspaces.length);
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
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

async function bytesOf(path: string): Promise<number> {
  try {
    const stat = await lstat(path);
    if (!stat.isDirectory()) return stat.size;
    let bytes = 0;
    for (const name of await readdir(path)) bytes += await bytesOf(join(path, name));
    return bytes;
  } catch (error) {
    // What goes meanwhile takes no room.
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return 0;
    throw error;
  }
}
