import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { failed, type Outcome, ok } from '@palimpsest/core';
import type { OpenRefusal } from '../basis/refusal.js';
import type { ContentStore } from '../content/content.js';
import { gitContent } from '../content/git-content.js';
import { Loan } from '../content/loan.js';
import { errorCode } from '../files/system-error.js';
import { DAMAGED_OBJECTS, type ObjectStore, openObjects } from '../git/objects.js';
import { type Git, sealGit } from '../git/run.js';
import { lockWorkspace, type WorkspaceLock } from '../log/lock.js';
import { type Log, LogError } from '../log/log.js';
import { type OpenLogError, openLog, sizeOf } from '../log/open-log.js';
import { salvageIsUnfinished, salvageLog } from '../log/salvage.js';
import { asLogError } from '../log/sqlite.js';
import { hasCheckpointRefs } from './refs.js';
import { foldsEach } from './views.js';

/** Where one workspace's data is, open and locked for this process. */
export type Store = {
  readonly folder: string;
  readonly log: Log;
  readonly git: Git;
  readonly objects: ObjectStore;
  readonly content: ContentStore;
  readonly loan: Loan;
  /** Watched, outside the workspace; see the watcher. */
  readonly cookieFolder: string;
  /** Under which name the contents were put away that git could not read when this was opened. */
  readonly setAside: string | null;
  /** Under which names damaged logs were put away, by this opening or an earlier one, as long as they are there. */
  logsAside(): readonly string[];
  /** Removes everything that was ever set aside. */
  dropAsides(): Promise<void>;
  close(): Promise<void>;
};

/** Set in the log once the names of the files are stored; until then an open is the first. */
export const STOCK_TAKEN = 'stock-taken';
/** Set in the log when the workspace is opened for the first time: what happens afterwards counts. */
export const FIRST_OPENED_AT = 'first-opened-at';

const PRIVATE = 0o700;
const CONTENT = 'content.git';
const LOG = 'log.sqlite';
const LOG_ASIDE = /^log\.sqlite\.damaged-\d+$/;
const ANY_ASIDE = /^(log\.sqlite|content\.git)\.damaged-\d+/;

/** `environment` is what the face was started with; git gets of it only what cannot change what git does. */
export async function openStore(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
  /** Set when the log was found to be damaged after it had been opened. */
  doubted?: 'log',
): Promise<Outcome<Store, OpenRefusal>> {
  await mkdir(cookieFolderIn(folder), { recursive: true, mode: PRIVATE });
  const lock = await lockWorkspace(folder);
  if (!lock.ok) {
    return failed(
      lock.error.code === 'held' ? { code: 'held', pid: lock.error.pid } : { code: 'io', why: lock.error.reason },
    );
  }
  try {
    const opened = await openLocked(folder, environment, lock.value, doubted);
    if (!opened.ok) lock.value.release();
    return opened;
  } catch (error) {
    lock.value.release();
    throw error;
  }
}

async function openLocked(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
  lock: WorkspaceLock,
  doubted?: 'log',
): Promise<Outcome<Store, OpenRefusal>> {
  const log = await openOrSalvage(folder, doubted);
  if (!log.ok) return failed(refusalOf(log.error));
  const git = sealGit(environment);
  try {
    const setAside = await setAsideIfUnusable(folder, git);
    const objects = await openObjects(join(folder, CONTENT), { git, durability: 'full' });
    const loan = new Loan(objects);
    const content = gitContent(objects, loan);
    return ok({
      folder,
      log: log.value,
      git,
      objects,
      content,
      loan,
      cookieFolder: cookieFolderIn(folder),
      setAside,
      logsAside: () => readdirSync(folder).filter((name) => LOG_ASIDE.test(name)),
      async dropAsides() {
        for (const name of readdirSync(folder).filter((name) => ANY_ASIDE.test(name)))
          await rm(join(folder, name), { recursive: true, force: true });
        await rm(join(folder, CONTENT, DAMAGED_OBJECTS), { recursive: true, force: true });
      },
      async close() {
        await content.close();
        log.value.close();
        lock.release();
      },
    });
  } catch (error) {
    log.value.close();
    throw error;
  }
}

function cookieFolderIn(folder: string): string {
  return join(folder, 'cookies');
}

/** A log that cannot be read must not stop the work: what can be read of it goes into a new one. */
async function openOrSalvage(folder: string, doubted?: 'log'): Promise<Outcome<Log, OpenLogError>> {
  const file = join(folder, LOG);
  const salvaging = doubted === 'log' || salvageIsUnfinished(file) || isLost(folder, file);
  const opened = salvaging ? null : openLog({ file });
  if (opened !== null && (opened.ok || opened.error.code !== 'damaged')) return opened;
  try {
    await salvageLog(file, { marksOfFiles: [STOCK_TAKEN], accepts: foldsEach() });
  } catch (error) {
    const known = asLogError(error);
    const code = known instanceof LogError ? known.code : errorCode(error) === 'ENOSPC' ? 'no-space' : 'io';
    return failed({ code: code === 'no-space' ? code : 'io', file, reason: String(error) });
  }
  return openLog({ file });
}

/** No log, or an empty one, beside what only a log leaves behind. */
function isLost(folder: string, file: string): boolean {
  return sizeOf(file) === 0 && (sizeOf(`${file}-wal`) > 0 || hasCheckpointRefs(join(folder, CONTENT)));
}

/**
 * A repository that git refuses as a whole would fail every call. It is kept under another name for whoever wants to
 * mend it, and an empty one takes its place.
 */
async function setAsideIfUnusable(folder: string, git: Git): Promise<string | null> {
  const gitDir = join(folder, CONTENT);
  if (!existsSync(gitDir)) return null;
  const answer = await git.run({ gitDir, args: ['rev-parse', '--is-bare-repository'] });
  if (answer.ok || answer.error.code !== 'git-exit') return null;
  // Half made, by a process that died: what is missing is made when it is opened.
  if (!existsSync(join(gitDir, 'HEAD')) || !existsSync(join(gitDir, 'config'))) return null;
  const name = `${CONTENT}.damaged-${Date.now()}`;
  await rename(gitDir, join(folder, name));
  return name;
}

function refusalOf(error: OpenLogError): OpenRefusal {
  switch (error.code) {
    case 'newer':
      return { code: 'newer-log', version: error.version, known: error.known };
    case 'damaged':
    case 'not-a-log':
      return { code: 'damaged', what: error.file };
    case 'no-space':
      return { code: 'no-space' };
    case 'busy':
    case 'io':
      return { code: 'io', why: error.reason };
  }
}
