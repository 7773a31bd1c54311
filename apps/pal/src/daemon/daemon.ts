import { parse } from 'node:path';
import { ENDPOINTS } from '@palimpsest/protocol';
import { type DaemonInfo, removeDiscovery, removeStartMarker, writeDiscovery } from '../link/discovery.js';
import { readHookAddress } from '../link/hook-address.js';
import { makeToken } from '../link/token.js';
import { admission, byToken, type RequestFacts } from './admission.js';
import { createApp } from './app.js';
import { agentForks } from './forks/forks.js';
import type { DaemonState } from './host/daemon-state.js';
import { LogFile } from './host/log-file.js';
import { PageKeys, pagePort } from './host/page-keys.js';
import { ProgramPath } from './host/program-path.js';
import { Traffic } from './host/traffic.js';
import { Workspaces } from './host/workspaces.js';
import { type IdleLimits, isDaemonIdle, isWorkspaceIdle } from './idleness.js';
import { isPageOf } from './page-rights.js';
import { type Listening, listen } from './server.js';
import { Transcripts } from './transcripts/transcripts.js';

export type DaemonOptions = {
  readonly dataDir: string;
  readonly version: string;
  readonly idle: IdleLimits;
  /** What the process was started with; git gets of it what cannot change what git does. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The user's home, which is never a workspace. */
  readonly home: string;
};

export type Daemon = {
  readonly info: DaemonInfo;
  /** Finishes what was begun; twice is the same as once. */
  stop(why: string): Promise<void>;
  /** Resolves when it has stopped, whoever asked for it. */
  readonly stopped: Promise<void>;
};

/** How long stopping waits for answers that are under way, and for connections that will not close. */
const STOP_GRACE_MS = 10_000;
const CONNECTION_GRACE_MS = 2_000;
/** How often idleness is looked for, at most. */
const IDLE_CHECK_MS = 60_000;
const SHORTEST_CHECK_MS = 50;

const HTTP_HOOKS = ENDPOINTS.takeHttpHook.path.replace('{event}', '');

/** Listens, and says where. The caller holds the lock of the data directory. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { dataDir, version, environment, home } = options;
  const log = new LogFile(dataDir);
  const tooWide = [home, parse(home).root];
  const traffic = new Traffic(Date.now);
  const programs = new ProgramPath(environment.PATH ?? '');
  const forks = agentForks(environment, programs);
  const workspaces = new Workspaces({ dataDir, log, now: Date.now, environment, tooWide, forks });
  const pages = new PageKeys(dataDir, Date.now);
  const transcripts = transcriptsOf(workspaces, log);
  const token = makeToken();
  const startedAt = Date.now();
  let stopping: Promise<void> | null = null;
  let announceStopped: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    announceStopped = resolve;
  });
  const state: DaemonState = {
    ...{ pid: process.pid, version, dataDir, startedAt, workspaces, transcripts, traffic, log, pages, programs },
    get port() {
      return server.port;
    },
    get stopping() {
      return stopping !== null;
    },
    // The answer to who asked goes out first.
    stop: () => void setImmediate(() => void stop('asked')),
  };
  const knows = knownTo(state, token);
  const app = createApp(state, (request) => admission(knows, server.port)(request));
  const port = readHookAddress(dataDir)?.port ?? pagePort(dataDir) ?? 0;
  const server = await listenWhere((request) => app.fetch(request), port, log);

  const info: DaemonInfo = {
    pid: process.pid,
    port: server.port,
    token,
    version,
    startedAt: new Date(startedAt).toISOString(),
  };
  writeDiscovery(dataDir, info);
  removeStartMarker(dataDir);
  log.write('started', { version, port: server.port, node: process.version });

  const unwatch = watchIdleness(traffic, workspaces, options.idle, () => void stop('idle'));

  function stop(why: string): Promise<void> {
    stopping ??= stopNow(why);
    return stopping;
  }

  async function stopNow(why: string): Promise<void> {
    log.write('stopping', { why, inFlight: traffic.inFlight });
    unwatch();
    for (const hosted of workspaces.listOpen()) hosted.feed.close();
    if ((await within(STOP_GRACE_MS, traffic.quiet())) === 'late')
      log.write('unanswered', { requests: traffic.inFlight });
    await server.close(CONNECTION_GRACE_MS);
    await workspaces.closeAll();
    removeDiscovery(dataDir, info);
    log.write('stopped', { why });
    announceStopped();
  }

  return { info, stop, stopped };
}

function transcriptsOf(workspaces: Workspaces, log: LogFile): Transcripts {
  return new Transcripts(
    (id) => workspaces.enter(id),
    (error, facts) => log.fault('transcript-unread', error, facts),
  );
}

/** Who is served: hooks by a token of their own, and all else to whoever has the daemon's, or to a page that was let in. */
function knownTo(state: DaemonState, token: string): (request: RequestFacts) => boolean {
  const isUser = byToken(token);
  // Asked for anew each time, since `pal init` writes it while the daemon runs.
  const isHook = (request: RequestFacts) => byToken(readHookAddress(state.dataDir)?.token ?? makeToken())(request);
  return (request) =>
    request.path.startsWith(HTTP_HOOKS)
      ? isHook(request)
      : isUser(request) || isPageOf(state.pages, state.port, request);
}

/** At the port that hooks or an open page know, or, when somebody else has it, at any: all others can be told where. */
function listenWhere(
  fetch: (request: Request) => Response | Promise<Response>,
  port: number,
  log: LogFile,
): Promise<Listening> {
  return listen(fetch, port).catch((error: unknown) => {
    if (port === 0) throw error;
    log.fault('port-taken', error, { port });
    return listen(fetch);
  });
}

/** Closes workspaces that nobody uses, and says when that is so of the whole daemon. */
function watchIdleness(traffic: Traffic, workspaces: Workspaces, limits: IdleLimits, onIdle: () => void): () => void {
  const check = () => {
    const now = Date.now();
    const use = { inFlight: traffic.inFlight, lastAt: traffic.lastAt, open: workspaces.listOpen() };
    if (isDaemonIdle(use, now, limits)) onIdle();
    else void workspaces.closeIdle((hosted) => isWorkspaceIdle(hosted, now, limits));
  };
  const everyMs = Math.min(IDLE_CHECK_MS, Math.max(SHORTEST_CHECK_MS, limits.daemonMs / 4));
  const timer = setInterval(check, everyMs).unref();
  return () => clearInterval(timer);
}

async function within(ms: number, work: Promise<void>): Promise<'done' | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms);
  });
  const first = await Promise.race([work.then(() => 'done' as const), late]);
  clearTimeout(timer);
  return first;
}
