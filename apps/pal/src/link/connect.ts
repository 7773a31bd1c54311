/**
 * Finds the daemon, starts it when it is not there, and replaces one of an older version. Loads nothing but what is
 * built in, because hooks run through here.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type DaemonAddress, type FetchLike, PROTOCOL_VERSION } from '@palimpsest/protocol/light';
import { errorCode } from '../surroundings/error-code.js';
import { askDaemon } from './ask-daemon.js';
import { daemonEnvironment } from './daemon-environment.js';
import { type DaemonInfo, isAlive, makeDataDirectory, readDiscovery, startMarker } from './discovery.js';
import { httpSend, LOOPBACK_URL } from './http-send.js';
import { isNewer } from './version-order.js';

export type { DaemonInfo } from './discovery.js';
export { readDiscovery } from './discovery.js';

export type ConnectOptions = {
  readonly dataDir: string;
  /** Ours. */
  readonly version: string;
  readonly start: 'if-needed' | 'never';
  /** What the daemon is started with, cut to what it needs. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly idleMs?: number;
  readonly timeoutMs?: number;
  /** The compiled `daemon/main.js`; needed where this file was bundled to another place. */
  readonly entry?: string;
};

/** `fetch` finds the daemon again when it was replaced meanwhile; the address is what a client is made with. */
export type Connection = { readonly info: DaemonInfo; readonly fetch: FetchLike; readonly address: DaemonAddress };

/** In the shape of a client's failure, so that a face shows both in one way. */
export type ConnectFailure = {
  readonly error: {
    readonly code: 'not-running' | 'did-not-start' | 'newer-daemon';
    readonly message: string;
    readonly hint: string;
  };
  readonly exit: 1;
  readonly status: null;
};

export type Connected =
  | { readonly ok: true; readonly value: Connection }
  | { readonly ok: false; readonly error: ConnectFailure };

const CONNECT_TIMEOUT_MS = 30_000;
const PROBE_TIMEOUT_MS = 2_000;
const POLL_MS = 20;
/** For how long after one process set out to start the daemon the others leave it to that one. */
const STARTER_MS = 5_000;

export async function connect(options: ConnectOptions): Promise<Connected> {
  const deadline = performance.now() + (options.timeoutMs ?? CONNECT_TIMEOUT_MS);
  const found = await findDaemon(options, deadline);
  return 'code' in found ? refused(found) : { ok: true, value: connectionTo(found, options) };
}

export type Health = 'ok' | 'stopping' | 'gone' | 'silent' | 'other-protocol';

/** `gone` when nobody, or somebody else, is at the address; `silent` when it may only be busy. */
export async function health(info: DaemonInfo, timeoutMs: number = PROBE_TIMEOUT_MS): Promise<Health> {
  if (!isAlive(info.pid)) return 'gone';
  const answer = await askDaemon(info, 'health', { timeoutMs });
  if (answer.status === null) return answer.isLate ? 'silent' : 'gone';
  if (answer.status !== 200) return answer.status === 503 ? 'stopping' : 'gone';
  try {
    const { status, protocol } = JSON.parse(answer.body) as { status?: string; protocol?: number };
    if (protocol !== PROTOCOL_VERSION) return 'other-protocol';
    return status === 'ok' ? 'ok' : 'stopping';
  } catch {
    return 'silent'; // Whoever said that is no daemon; ours may come yet.
  }
}

type NotFound = ConnectFailure['error'];

async function findDaemon(options: ConnectOptions, deadline: number): Promise<DaemonInfo | NotFound> {
  const { dataDir, version, start } = options;
  for (;;) {
    const info = readDiscovery(dataDir);
    const sameVersion = info?.version === version;
    const probeMs = Math.max(1, Math.min(PROBE_TIMEOUT_MS, deadline - performance.now()));
    const state = info === null ? 'gone' : await health(info, probeMs);
    if (info !== null && state === 'ok' && (sameVersion || start === 'never' || !isNewer(version, info.version)))
      return info;
    if (info !== null && state === 'other-protocol' && !isNewer(version, info.version)) return newerDaemon(info);
    if (start === 'never' && state !== 'stopping') return notRunning();
    if (performance.now() > deadline) return didNotStart();
    if (info !== null && (state === 'ok' || state === 'other-protocol')) {
      // It finishes what it was asked to do before; until then it is looked at again and again.
      await askDaemon(info, 'shutdown', { body: '{}', timeoutMs: probeMs });
    } else if (state === 'gone') startOnce(options);
    await sleep(POLL_MS);
  }
}

/**
 * Of many processes that find no daemon, one starts it. The file is a courtesy that spares the others the work: which
 * daemon is the one is decided by the daemons' own lock.
 */
function startOnce(options: ConnectOptions): void {
  makeDataDirectory(options.dataDir);
  const marker = startMarker(options.dataDir);
  const since = statSync(marker, { throwIfNoEntry: false })?.mtimeMs;
  const age = since === undefined ? null : Date.now() - since;
  if (age !== null && age >= 0 && age < STARTER_MS) return;
  try {
    if (age !== null) rmSync(marker, { force: true });
    closeSync(openSync(marker, 'wx', 0o600));
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return;
    throw error;
  }
  const { dataDir, version, idleMs, environment = process.env } = options;
  const entry = options.entry ?? fileURLToPath(new URL('../daemon/main.js', import.meta.url));
  const idle = idleMs === undefined ? [] : [`--idle-ms=${idleMs}`];
  const child = spawn(process.execPath, [entry, `--data=${dataDir}`, `--version=${version}`, ...idle], {
    cwd: dataDir,
    detached: true,
    env: daemonEnvironment(environment),
    stdio: 'ignore',
    windowsHide: true,
  });
  // A process that cannot be started shows as a daemon that does not come.
  child.on('error', () => undefined);
  child.unref();
}

function connectionTo(found: DaemonInfo, options: ConnectOptions): Connection {
  let info = found;
  const again = async () => {
    const next = await findDaemon(options, performance.now() + (options.timeoutMs ?? CONNECT_TIMEOUT_MS));
    if ('code' in next) throw new Error(next.message);
    info = next;
  };
  const fetch: FetchLike = async (url, request) => {
    const path = url.slice(LOOPBACK_URL.length);
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await httpSend(info, path, request);
        if (attempt >= ATTEMPTS_LIMIT || !(answer.status === 401 || answer.status === 503)) return answer;
        await answer.text();
      } catch (error) {
        if (attempt >= ATTEMPTS_LIMIT || request.signal?.aborted === true || !mayRepeat(error, path, request.method))
          throw error;
      }
      await again();
    }
  };
  return { info, fetch, address: { fetch, baseUrl: LOOPBACK_URL, token: '' } };
}

/** A daemon that is replaced while it is being asked is found again; more often than this something else is wrong. */
const ATTEMPTS_LIMIT = 4;

/**
 * A connection that was refused carried nothing. One that broke may have: everything may be said twice but the start of
 * a session without a name, which would become two.
 */
function mayRepeat(error: unknown, path: string, method: string): boolean {
  const code = errorCode(error);
  if (code === 'ECONNREFUSED') return true;
  const broke = code === 'ECONNRESET' || code === 'EPIPE';
  return broke && !(method === 'POST' && path.endsWith('/sessions'));
}

function refused(error: NotFound): Connected {
  return { ok: false, error: { error, exit: 1, status: null } };
}

function notRunning(): NotFound {
  return {
    code: 'not-running',
    message: 'the daemon is not running',
    hint: 'most commands start it; `pal serve` runs it in front of you',
  };
}

function didNotStart(): NotFound {
  const hint =
    'daemon.log in the data directory may say why; `pal doctor` looks for reasons, and `pal serve` runs it in front of you';
  return { code: 'did-not-start', message: 'the daemon did not start', hint };
}

function newerDaemon({ version }: DaemonInfo): NotFound {
  return {
    code: 'newer-daemon',
    message: `a newer daemon is running (${version}), which this version cannot talk to`,
    hint: 'update palimpsest here too, or stop the daemon with the newer `pal stop`',
  };
}
