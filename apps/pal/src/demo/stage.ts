import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../places.js';

export type Ran = { readonly exit: number; readonly stdout: string; readonly stderr: string };

const PAL = fileURLToPath(new URL('../../bin/pal.js', import.meta.url));
const STOP_PATIENCE_MS = 5_000;

/**
 * A throw-away workspace with a daemon and a home of its own: nothing of the user's is read or written, and nothing is
 * left when it is struck. Every command is the real one, in a process of its own.
 */
export class Stage {
  readonly folder: string;
  readonly workspace: string;
  readonly #environment: Environment;
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
      child.on('error', reject);
      child.on('close', (code) => resolve({ exit: code ?? 1, ...said }));
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

  /** Stops the daemon and removes the folder. Synchronous, so that it also works on the way out after Ctrl-C. */
  strike(): void {
    if (this.#struck) return;
    this.#struck = true;
    spawnSync(process.execPath, [PAL, 'stop'], {
      cwd: this.workspace,
      env: this.#environment,
      timeout: STOP_PATIENCE_MS,
      stdio: 'ignore',
    });
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
