import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside } from '../tree/inside.js';
import type { Occupant } from './worktree.js';

const PROCESSES = '/proc';

/** The processes whose working directory is a folder or below it. Only Linux tells; elsewhere none is known. */
export async function occupantsOf(folder: string): Promise<readonly Occupant[]> {
  const processes = (await readdir(PROCESSES).catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(processes.map((pid) => occupant(pid, folder)));
  return found.filter((process) => process !== null);
}

async function occupant(pid: string, folder: string): Promise<Occupant | null> {
  try {
    const cwd = await readlink(join(PROCESSES, pid, 'cwd'));
    if (!isInside(folder, cwd)) return null;
    const command = (await readFile(join(PROCESSES, pid, 'comm'), 'utf8')).trim();
    return { pid: Number(pid), command, cwd };
  } catch {
    return null; // It has just ended, or is somebody else's.
  }
}
