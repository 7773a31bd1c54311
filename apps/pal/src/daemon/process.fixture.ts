import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, createClient } from '@palimpsest/protocol';
import { until } from '../../../../test/patience.fixture.js';
import type * as Connecting from '../link/connect.js';
import { isAlive } from '../link/discovery.js';

/** As it is shipped: loaded by Node itself, because hooks and the command line run it so. */
export const { connect, health, readDiscovery } = createRequire(import.meta.url)(
  '../../dist/link/connect.js',
) as typeof Connecting;

export const ENTRY = fileURLToPath(new URL('../../bundle/daemon/main.js', import.meta.url));
export const VERSION = '0.1.0';

/** A data directory and workspaces of its own, and every daemon that runs on it. */
export class Household {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'pal-house-')));
  readonly dataDir = join(this.folder, 'data');
  readonly root = join(this.folder, 'work');
  readonly environment = { PATH: process.env.PATH, HOME: join(this.folder, 'home') };

  constructor() {
    for (const folder of [this.root, this.environment.HOME]) mkdirSync(folder);
  }

  connect(options: Partial<Connecting.ConnectOptions> = {}): Promise<Connecting.Connected> {
    const { dataDir, environment } = this;
    return connect({ dataDir, environment, version: VERSION, start: 'if-needed', entry: ENTRY, ...options });
  }

  async connection(options: Partial<Connecting.ConnectOptions> = {}): Promise<Connecting.Connection> {
    const connected = await this.connect(options);
    if (!connected.ok) throw new Error(`${connected.error.error.message}\n${this.log()}`);
    return connected.value;
  }

  async client(options: Partial<Connecting.ConnectOptions> = {}): Promise<Client> {
    return createClient({ ...(await this.connection(options)).address, workspaceRoot: this.root });
  }

  /** A daemon process beside whatever else there is. */
  spawnDaemon(version = VERSION): ChildProcess {
    return spawn(process.execPath, [ENTRY, `--data=${this.dataDir}`, `--version=${version}`], {
      env: this.environment,
      stdio: 'ignore',
    });
  }

  log(): string {
    const file = join(this.dataDir, 'daemon.log');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  /** How often something happened in the life of this data directory. */
  count(event: string): number {
    return this.log()
      .split('\n')
      .filter((line) => line.includes(`"event":"${event}"`)).length;
  }

  pids(): readonly number[] {
    const pids = this.log()
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { pid: number }).pid);
    return [...new Set(pids)];
  }

  /** Ends every daemon that ever ran here. */
  async close(): Promise<void> {
    for (const pid of this.pids()) if (isAlive(pid)) process.kill(pid, 'SIGTERM');
    await until(() => this.pids().every((pid) => !isAlive(pid)));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
