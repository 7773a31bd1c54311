import { homedir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockWorkspace, type WorkspaceLock } from '@palimpsest/engine/log/lock';
import { health } from '../link/connect.js';
import { makeDataDirectory, readDiscovery } from '../link/discovery.js';
import type { Daemon } from './daemon.js';
import { LogFile } from './host/log-file.js';
import { DEFAULT_IDLE_LIMITS, type IdleLimits } from './idleness.js';

export type DaemonProcessOptions = {
  readonly dataDir: string;
  readonly version: string;
  readonly idle?: Partial<IdleLimits>;
  /** Told when the daemon can be reached, for a face that shows it. */
  readonly onReady?: (daemon: Daemon) => void;
};

/** How this process came to its end: it was the daemon and has stopped, or another one is. */
export type DaemonEnd = 'stopped' | 'another-runs';

/** How long to wait for a lock whose holder does not answer: it is starting or stopping. */
const LOCK_WAIT_MS = 20_000;
const LOCK_LOOK_MS = 25;

/**
 * Is the daemon of a data directory until it is told to stop. Nothing heavy is loaded before the lock is held, so that
 * of many that start at once all but one cost little.
 */
export async function runDaemon(options: DaemonProcessOptions): Promise<DaemonEnd> {
  const { dataDir, version } = options;
  makeDataDirectory(dataDir);
  const lock = await waitForLock(dataDir);
  if (lock === null) return 'another-runs';
  const log = new LogFile(dataDir);
  process.on('unhandledRejection', (error) => log.fault('unhandled', error));
  try {
    const { startDaemon } = await import('./daemon.js');
    const idle = { ...DEFAULT_IDLE_LIMITS, ...options.idle };
    const daemon = await startDaemon({ dataDir, version, idle, environment: process.env, home: homedir() });
    process.on('uncaughtException', (error) => {
      log.fault('uncaught', error);
      process.exitCode = 1;
      void daemon.stop('fault');
    });
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, () => void daemon.stop(name));
    options.onReady?.(daemon);
    await daemon.stopped;
    return 'stopped';
  } catch (error) {
    log.fault('not-started', error);
    throw error;
  } finally {
    lock.release();
  }
}

async function waitForLock(dataDir: string): Promise<WorkspaceLock | null> {
  const end = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    const lock = await lockWorkspace(dataDir);
    if (lock.ok) return lock.value;
    if (lock.error.code === 'unavailable') throw new Error(lock.error.reason);
    const running = readDiscovery(dataDir);
    const answers = running !== null && (await health(running)) === 'ok';
    if (answers || performance.now() > end) return null;
    await sleep(LOCK_LOOK_MS);
  }
}
