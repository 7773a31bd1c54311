import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { failed, type Outcome, ok } from '@palimpsest/core';
import type { ContentStore } from './content/content.js';
import { gitContent } from './content/git-content.js';
import { type ObjectStore, openObjects } from './git/objects.js';
import { type Git, sealGit } from './git/run.js';
import { lockWorkspace } from './log/lock.js';
import type { Log } from './log/log.js';
import { openLog } from './log/open-log.js';
import type { OpenRefusal } from './refusal.js';

/** Where one workspace's data is, open and locked for this process. */
export type Store = {
  readonly folder: string;
  readonly log: Log;
  readonly git: Git;
  readonly objects: ObjectStore;
  readonly content: ContentStore;
  /** Watched, outside the workspace; see the watcher. */
  readonly cookieFolder: string;
  /** Under which name the contents were put away that git could not read when this was opened. */
  readonly setAside: string | null;
  close(): Promise<void>;
};

const PRIVATE = 0o700;
const CONTENT = 'content.git';

/** `environment` is what the face was started with; git gets of it only what cannot change what git does. */
export async function openStore(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Outcome<Store, OpenRefusal>> {
  const cookieFolder = join(folder, 'cookies');
  await mkdir(cookieFolder, { recursive: true, mode: PRIVATE });
  const lock = await lockWorkspace(folder);
  if (!lock.ok) {
    return failed(
      lock.error.code === 'held' ? { code: 'held', pid: lock.error.pid } : { code: 'io', why: lock.error.reason },
    );
  }
  const log = openLog({ file: join(folder, 'log.sqlite') });
  if (!log.ok) {
    lock.value.release();
    return failed(refusalOf(log.error));
  }
  const git = sealGit(environment);
  const setAside = await setAsideIfUnusable(folder, git);
  const objects = await openObjects(join(folder, CONTENT), { git, durability: 'full' });
  const content = gitContent(objects);
  return ok({
    folder,
    log: log.value,
    git,
    objects,
    content,
    cookieFolder,
    setAside,
    async close() {
      await content.close();
      log.value.close();
      lock.value.release();
    },
  });
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

function refusalOf(error: {
  readonly code: string;
  readonly version?: number;
  readonly known?: number;
  readonly reason?: string;
  readonly file: string;
}): OpenRefusal {
  switch (error.code) {
    case 'newer':
      return { code: 'newer-log', version: error.version ?? 0, known: error.known ?? 0 };
    case 'damaged':
    case 'not-a-log':
      return { code: 'damaged', what: error.file };
    case 'no-space':
      return { code: 'no-space' };
    default:
      return { code: 'io', why: error.reason ?? error.code };
  }
}
