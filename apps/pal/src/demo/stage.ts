import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAlive, readDiscovery, startMarker } from '../link/discovery.js';
import type { Environment } from '../surroundings/surroundings.js';

export type Ran = { readonly exit: number; readonly stdout: string; readonly stderr: string };

const PAL = fileURLToPath(new URL('../../bin/pal.js', import.meta.url));
const STOP_PATIENCE_MS = 8_000;
const POLL_MS = 20;

/**
 * A throw-away workspace with a daemon and a home of its own: nothing of the user's is read or written, and nothing is
 * left when it is struck. Every command is the real one, in a process of its own.
 */
export class Stage {
  readonly folder: string;
  readonly workspace: string;
  readonly #environment: Environment;
  readonly #running = new Set<ChildProcess>();
  #struck = false;

  constructor(environment: Environment, terminalColumns: number | null) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-demo-')));
    this.workspace = join(this.folder, 'greetings');
    const home = join(this.folder, 'home');
    for (const folder of [this.workspace, home]) mkdirSync(folder);
    this.#environment = {
      ...environment,
      HOME: home,
      PALIMPSEST_HOME: join(this.folder, 'data'),
      GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
      GIT_CONFIG_NOSYSTEM: '1',
      PAL_TERMINAL: terminalColumns === null ? '' : String(terminalColumns),
    };
  }

  pal(args: readonly string[], stdin = ''): Promise<Ran> {
    return this.run(process.execPath, [PAL, ...args], stdin);
  }

  run(command: string, args: readonly string[], stdin = ''): Promise<Ran> {
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, { cwd: this.workspace, env: this.#environment });
      const said = { stdout: '', stderr: '' };
      for (const name of ['stdout', 'stderr'] as const) {
        child[name].setEncoding('utf8').on('data', (text: string) => {
          said[name] += text;
        });
      }
      this.#running.add(child);
      child.on('error', reject);
      child.on('close', (code) => {
        this.#running.delete(child);
        resolve({ exit: code ?? 1, ...said });
      });
      child.stdin.on('error', () => undefined); // A command that does not read its input may end before we wrote it.
      child.stdin.end(stdin);
    });
  }

  write(path: string, text: string): void {
    const file = join(this.workspace, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  read(path: string): string {
    return readFileSync(join(this.workspace, path), 'utf8');
  }

  /**
   * Stops the daemon and removes the folder. Synchronous and without another process, so that it also works on the way
   * out after Ctrl-C, and after the second one.
   */
  strike(): void {
    if (this.#struck) return;
    this.#struck = true;
    // One of them may be about to start the daemon.
    for (const child of this.#running) child.kill('SIGKILL');
    const data = this.#environment.PALIMPSEST_HOME!;
    const until = Date.now() + STOP_PATIENCE_MS;
    // A daemon on its way must be waited for: it would come up in a folder that is gone, and stay.
    while (existsSync(startMarker(data)) && Date.now() < until) pause();
    const daemon = readDiscovery(data);
    if (daemon !== null && isAlive(daemon.pid)) {
      process.kill(daemon.pid, 'SIGTERM');
      while (isAlive(daemon.pid) && Date.now() < until) pause();
      if (isAlive(daemon.pid)) process.kill(daemon.pid, 'SIGKILL');
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
}
