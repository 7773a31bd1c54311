import { watch } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { Coverage } from '../tree/coverage.js';
import { joinPaths, unpackRules } from '../tree/coverage-rules.js';
import { FolderWatchers, reasonOf } from './folder-watchers.js';
import { HintSender } from './hint-sender.js';
import { RECURSIVE_GRACE_MS } from './limits.js';
import { recursiveWatcher } from './recursive-watcher.js';
import type { FromWatchWorker, ToWatchWorker, WatchStart } from './watch-messages.js';

const start = workerData as WatchStart;
const post = (message: FromWatchWorker) => parentPort?.postMessage(message);
const fail = (note: string) => post({ kind: 'failed', note });
const sender = new HintSender(post);
const coverage = new Coverage(unpackRules(start.rules));
const watchers =
  start.style === 'folders' ? new FolderWatchers(coverage, sender, fail) : recursiveWatcher(coverage, sender, fail);

try {
  watchCookies();
  const names: string[] = [];
  watchers.start(start.names ? (path) => names.push(path) : () => undefined);
  post({ kind: 'ready', names: start.names && start.style === 'folders' ? joinPaths(names) : null });
} catch (error) {
  fail(reasonOf(error));
}

parentPort?.on('message', (message: ToWatchWorker) => {
  watchers.add(message.folders);
  post({ kind: 'added', id: message.id });
});

/**
 * All watchers of one thread share one queue of the kernel, in order. When the event of a cookie comes out of it, all
 * that happened before the cookie was put there has come out too.
 */
function watchCookies(): void {
  let last = 0;
  const seen = (cookie: number) => {
    if (cookie <= last) return;
    last = cookie;
    if (start.style === 'folders') sender.settled(cookie);
    else setTimeout(() => sender.settled(cookie), RECURSIVE_GRACE_MS);
  };
  const watcher = watch(start.cookieFolder, (_type, name) => {
    if (name?.startsWith(start.cookiePrefix)) seen(Number(name.slice(start.cookiePrefix.length)));
  });
  watcher.on('error', (error) => fail(reasonOf(error)));
}
