import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../surroundings/error-code.js';
import type { DataReading, GitReading, WatchReading } from './judge.js';

const GIT_PATIENCE_MS = 5_000;
/** Counting folders stops here: the answer is "a great many" by then. */
const COUNT_PATIENCE_MS = 1_500;
const WATCH_LIMIT_FILE = '/proc/sys/fs/inotify/max_user_watches';
/** Folders that are never watched. */
const UNWATCHED = new Set(['.git', 'node_modules']);

export function readGit(): Promise<GitReading> {
  return new Promise((resolve) => {
    execFile('git', ['--version'], { timeout: GIT_PATIENCE_MS }, (error, stdout) => {
      if (error !== null)
        return resolve({ missing: typeof error.code === 'string' ? error.code : error.message.split('\n')[0]! });
      resolve({ version: /(\d+\.\d+(\.\d+)?)/.exec(stdout)?.[1] ?? stdout.trim() });
    });
  });
}

/** Writes a file, looks at it, and takes it away: what we say about the folder is then a fact. */
export function readData(directory: string): DataReading {
  const probe = join(directory, `.doctor-${process.pid}`);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(probe, 'pal doctor\n', { mode: 0o600 });
    const writtenAt = Date.now();
    const fileTimeSkewMs = statSync(probe).mtimeMs - writtenAt;
    rmSync(probe);
    const { bavail, bsize } = statfsSync(directory);
    const openToOthers = process.platform !== 'win32' && (statSync(directory).mode & 0o077) !== 0;
    return { state: 'writable', directory, freeBytes: bavail * bsize, fileTimeSkewMs, openToOthers };
  } catch (error) {
    return { state: 'refused', directory, why: errorCode(error) || String(error) };
  }
}

/** Only Linux has a watch per folder, and a limit on them. */
export function readWatching(root: string): WatchReading | null {
  const limit = readLimit();
  if (limit === null) return null;
  const until = Date.now() + COUNT_PATIENCE_MS;
  let folders = 0;
  const queue = [root];
  for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
    folders += 1;
    if (folders % 256 === 0 && Date.now() > until) return { limit, folders, counted: 'at-least' };
    queue.push(...foldersIn(folder));
  }
  return { limit, folders, counted: 'all' };
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((item) => item.isDirectory() && !UNWATCHED.has(item.name))
      .map((item) => join(folder, item.name));
  } catch {
    return []; // A folder that cannot be read cannot be watched either, so it counts for nothing.
  }
}

function readLimit(): number | null {
  try {
    return Number(readFileSync(WATCH_LIMIT_FILE, 'utf8'));
  } catch {
    return null; // Not Linux, or no /proc: there is no such limit to know of.
  }
}
