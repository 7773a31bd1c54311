import { mkdir } from 'node:fs/promises';
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
  close(): Promise<void>;
};

const PRIVATE = 0o700;

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
  const objects = await openObjects(join(folder, 'content.git'), { git, durability: 'full' });
  const content = gitContent(objects);
  return ok({
    folder,
    log: log.value,
    git,
    objects,
    content,
    cookieFolder,
    async close() {
      await content.close();
      log.value.close();
      lock.value.release();
    },
  });
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
