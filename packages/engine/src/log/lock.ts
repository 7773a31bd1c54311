import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { failed, type Outcome, ok } from '@palimpsest/core';
import { isRunning, replaceFile } from '../files/durable.js';
import { isAbsence } from '../files/system-error.js';
import { LogError } from './log.js';
import { asLogError, type Database, openDatabase } from './sqlite.js';

export interface WorkspaceLock {
  /** Twice is the same as once. */
  release(): void;
}

/** `pid` is null when the holder has not yet said who it is, or has just gone. */
type LockError =
  | { readonly code: 'held'; readonly dir: string; readonly pid: number | null }
  | { readonly code: 'unavailable'; readonly dir: string; readonly reason: string };

/**
 * The right to write to a workspace's data, for one process at a time. It is a lock of the operating system on a file
 * of its own, taken through SQLite, which knows how on every platform: the system drops it when the process ends in any
 * way, so none is ever left over, and there is no moment at which two processes can take it over. The name of the
 * holder is a courtesy beside it and decides nothing.
 *
 * The lock file must never be opened in another way by the process that holds it: POSIX would drop the lock when that
 * other handle is closed.
 */
export async function lockWorkspace(dir: string): Promise<Outcome<WorkspaceLock, LockError>> {
  const holderFile = join(dir, HOLDER_NAME);
  let database: Database | null = null;
  try {
    database = openDatabase(join(dir, LOCK_NAME), { timeout: 0 });
    // Nothing is ever written: the intent to write already excludes every other process that has it.
    database.exec('BEGIN IMMEDIATE');
    await replaceFile(holderFile, String(process.pid), 'lazy');
    return ok(hold(database, holderFile));
  } catch (error) {
    database?.close();
    const known = asLogError(error);
    if (!(known instanceof Error)) throw error;
    if (known instanceof LogError && known.code === 'busy') {
      return failed({ code: 'held', dir, pid: await readHolder(holderFile) });
    }
    return failed({ code: 'unavailable', dir, reason: known.message });
  }
}

const LOCK_NAME = 'workspace.lock';
const HOLDER_NAME = 'workspace.lock.pid';
/** How long a new holder may take from having the lock to having written its name. */
const HOLDER_WAIT_MS = 200;
const HOLDER_LOOK_MS = 5;

/** A connection that nobody refers to would be closed by the garbage collector, and the lock with it. */
const held = new Set<Database>();

function hold(database: Database, holderFile: string): WorkspaceLock {
  held.add(database);
  return {
    release() {
      if (!held.delete(database)) return;
      rmSync(holderFile, { force: true });
      database.close();
    },
  };
}

/** The file may still name the holder before this one, so a process that is gone is not believed. */
async function readHolder(holderFile: string): Promise<number | null> {
  const end = performance.now() + HOLDER_WAIT_MS;
  for (;;) {
    const pid = readPid(holderFile);
    if (pid !== null && isRunning(pid)) return pid;
    if (performance.now() >= end) return null;
    await sleep(HOLDER_LOOK_MS);
  }
}

function readPid(holderFile: string): number | null {
  try {
    const pid = Number(readFileSync(holderFile, 'utf8'));
    return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}
