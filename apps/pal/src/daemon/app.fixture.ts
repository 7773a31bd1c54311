import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient, type FetchLike } from '@palimpsest/protocol';
import { admission, byToken } from './admission.js';
import { createApp } from './app.js';
import { LogFile } from './host/log-file.js';
import { PageKeys } from './host/page-keys.js';
import { ProgramPath } from './host/program-path.js';
import { Traffic } from './host/traffic.js';
import { Workspaces } from './host/workspaces.js';
import type { App } from './routes/serve-route.js';
import { Transcripts } from './transcripts/transcripts.js';

export const TOKEN = 'test-token-of-the-right-kind';
export const PORT = 4321;
export const AUTHORITY = `127.0.0.1:${PORT}`;

/** The daemon's app with real workspaces in a folder of its own, and no socket. */
export class Stage {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'pal-daemon-')));
  readonly dataDir = join(this.folder, 'data');
  readonly workspaces: Workspaces;
  readonly transcripts: Transcripts;
  readonly traffic = new Traffic(Date.now);
  readonly app: App;
  /** What the app is told of the daemon around it. */
  readonly life = { stopping: false, stops: 0 };

  constructor() {
    const log = new LogFile(this.folder);
    this.workspaces = new Workspaces({
      dataDir: this.dataDir,
      log,
      now: Date.now,
      environment: { PATH: process.env.PATH, HOME: this.folder },
      tooWide: [this.folder],
    });
    this.transcripts = new Transcripts(
      (id) => this.workspaces.enter(id),
      (error) => {
        throw error;
      },
    );
    const { life } = this;
    this.app = createApp(
      {
        pid: process.pid,
        version: '9.9.9',
        dataDir: this.dataDir,
        port: PORT,
        startedAt: 0,
        workspaces: this.workspaces,
        transcripts: this.transcripts,
        programs: new ProgramPath(''),
        traffic: this.traffic,
        log,
        pages: new PageKeys(this.dataDir, Date.now),
        get stopping() {
          return life.stopping;
        },
        stop: () => {
          life.stops += 1;
        },
      },
      admission(byToken(TOKEN), PORT),
    );
  }

  /** A new folder to be a workspace. */
  makeRoot(name = 'work'): string {
    return mkdtempSync(join(this.folder, `${name}-`));
  }

  fetch: FetchLike = async (url, { method, headers, body, signal }) =>
    this.app.request(url, {
      method,
      headers: { host: AUTHORITY, ...headers },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    });

  isOpen(id: string): boolean {
    return this.workspaces.listOpen().some(({ workspace }) => workspace.id === id);
  }

  client(workspaceRoot: string): Client {
    return createClient({ fetch: this.fetch, baseUrl: `http://${AUTHORITY}`, token: TOKEN, workspaceRoot });
  }

  async close(): Promise<void> {
    await this.workspaces.closeAll();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The value, or a test that fails with what was said instead. */
export function must<T>(
  outcome: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown },
): T {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
  return outcome.value;
}
