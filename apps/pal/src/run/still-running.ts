import { readdir, readFile, readlink } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sessionEntry } from '../surroundings/within.js';

const PROCESSES = '/proc';
/** What is only just ending needs a moment to be gone; a process that stays is seen in every round. */
const ROUNDS = 4;
const BETWEEN_MS = 50;

/**
 * Whether something that a session's command started has outlived it and works in the folder. It is known by the session
 * in its environment, which only Linux shows to others; elsewhere the answer is no. What has moved to another folder is a
 * service that looks after itself, as build daemons do.
 */
export async function stillRunning(session: string, folder: string): Promise<boolean> {
  for (let round = 1; ; round += 1) {
    if (!(await isRunning(session, folder))) return false;
    if (round === ROUNDS) return true;
    await wait(BETWEEN_MS);
  }
}

async function isRunning(session: string, folder: string): Promise<boolean> {
  const processes = (await readdir(PROCESSES).catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(processes.map((id) => isOf(join(PROCESSES, id), session, folder)));
  return found.includes(true);
}

async function isOf(process: string, session: string, folder: string): Promise<boolean> {
  try {
    const environment = await readFile(join(process, 'environ'), 'utf8');
    if (!environment.split('\0').includes(sessionEntry(session))) return false;
    const cwd = await readlink(join(process, 'cwd'));
    return cwd === folder || cwd.startsWith(folder === sep ? sep : folder + sep);
  } catch {
    return false; // It has just ended, or is somebody else's.
  }
}
