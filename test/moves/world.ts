import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DATA_INSIDE } from './photograph.js';

export const PAL = fileURLToPath(new URL('../../apps/pal/bin/pal.js', import.meta.url));

/** Set for the oracle's own git, so that a hook or filter can tell that nobody else ran it. */
export const ORACLE_MARK = 'MOVES_ORACLE';

/** How the folder stands to git. */
export type Around =
  | 'git with commits'
  | 'git without commits'
  | 'no git'
  | 'a folder inside a repository'
  | 'a linked worktree';

/** A user with a home, a data directory, a daemon and a folder of their own, and things beside it that are nobody's business. */
export class World {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'pal-moves-')));
  readonly home = join(this.base, 'home');
  readonly data: string;
  readonly beside = join(this.base, 'beside');
  readonly around: Around;
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
  #daemon: ChildProcess | null = null;

  constructor(around: Around, data: 'beside' | 'inside' = 'beside') {
    this.around = around;
    this.root = join(this.base, around === 'a folder inside a repository' ? 'outer/work' : 'work');
    this.data = data === 'inside' ? join(this.root, DATA_INSIDE) : join(this.base, 'data');
    for (const folder of [this.home, this.beside, this.root]) mkdirSync(folder, { recursive: true });
    this.environment = {
      PATH: process.env.PATH ?? '',
      HOME: this.home,
      TMPDIR: tmpdir(),
      LANG: 'C.UTF-8',
      PALIMPSEST_HOME: this.data,
      GIT_CONFIG_GLOBAL: join(this.home, '.gitconfig'),
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
      GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
      GIT_EDITOR: 'true',
      [ORACLE_MARK]: '1',
    };
    writeFileSync(
      join(this.home, '.gitconfig'),
      '[user]\n\tname = T\n\temail = t@example.invalid\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[protocol "file"]\n\tallow = always\n[advice]\n\tdetachedHead = false\n',
    );
    mkdirSync(join(this.beside, 'folder'));
    writeFileSync(join(this.beside, 'secret.txt'), 'not yours\n');
    writeFileSync(join(this.beside, 'folder/deep.txt'), 'not yours either\n');
  }

  /** What the product is started with: without the mark by which programs of the repository know whose git runs them. */
  get #ours(): Readonly<Record<string, string>> {
    const { [ORACLE_MARK]: _, ...rest } = this.environment;
    return rest;
  }

  get hasGit(): boolean {
    return this.around !== 'no git';
  }

  /** After the first files are there. */
  prepareGit(): void {
    switch (this.around) {
      case 'no git':
        return;
      case 'git without commits':
        this.git('init', '-q');
        return;
      case 'git with commits':
        this.git('init', '-q');
        this.commitAll('first');
        return;
      case 'a folder inside a repository':
        execFileSync('git', ['init', '-q'], { cwd: dirname(this.root), env: this.environment });
        this.commitAll('first');
        return;
      case 'a linked worktree': {
        const main = join(this.base, 'main');
        mkdirSync(main);
        execFileSync('git', ['init', '-q'], { cwd: main, env: this.environment });
        execFileSync('git', ['commit', '-q', '--allow-empty', '-m', 'first'], { cwd: main, env: this.environment });
        execFileSync('git', ['worktree', 'add', '-q', '--no-checkout', '-b', 'side', join(this.base, 'link')], {
          cwd: main,
          env: this.environment,
        });
        // The first files are there already: the link moves into their folder.
        execFileSync('mv', [join(this.base, 'link/.git'), join(this.root, '.git')]);
        rmSync(join(this.base, 'link'), { recursive: true });
        execFileSync('git', ['worktree', 'repair', this.root], { cwd: main, env: this.environment, stdio: 'ignore' });
        this.commitAll('second');
      }
    }
  }

  commitAll(message: string): void {
    this.git('add', '-A', '.');
    this.git('commit', '-q', '--allow-empty', '-m', message);
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.root, env: this.environment, encoding: 'utf8', stdio: 'pipe' });
  }

  /** What git tracks: an ignore rule does not speak of it, whatever its name is. */
  tracked(): ReadonlySet<string> {
    return new Set(this.hasGit ? this.git('ls-files', '-z').split('\0') : []);
  }

  /** Real commands, as an agent's shell or a person's terminal runs them. Gives the exit code. */
  shell(command: string): number {
    return spawnSync('sh', ['-c', command], { cwd: this.root, env: this.environment, stdio: 'ignore' }).status ?? -1;
  }

  pal(
    args: readonly string[],
    stdin = '',
  ): { readonly exit: number; readonly stdout: string; readonly stderr: string } {
    const ran = spawnSync(process.execPath, [PAL, ...args], {
      cwd: this.root,
      env: this.#ours,
      encoding: 'utf8',
      input: stdin,
      maxBuffer: 1 << 28,
    });
    return { exit: ran.status ?? -1, stdout: ran.stdout, stderr: ran.stderr };
  }

  start(args: readonly string[]): ChildProcess {
    return spawn(process.execPath, [PAL, ...args], { cwd: this.root, env: this.#ours, stdio: 'pipe' });
  }

  get daemonPid(): number {
    const file = join(this.data, 'daemon.json');
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid : -1;
  }

  async startDaemon(more: Readonly<Record<string, string>> = {}): Promise<void> {
    const daemon = spawn(process.execPath, [PAL, 'serve', '--json'], {
      cwd: this.base,
      env: { ...this.#ours, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#daemon = daemon;
    // A run that is broken off leaves no process behind.
    const end = () => daemon.kill('SIGKILL');
    process.once('exit', end);
    daemon.once('exit', () => process.off('exit', end));
    let complaint = '';
    daemon.stderr.on('data', (text: Buffer) => {
      complaint += text.toString();
    });
    const ready = once(daemon.stdout, 'data');
    const gone = once(daemon, 'exit').then(() => Promise.reject(new Error(`the daemon did not start: ${complaint}`)));
    await Promise.race([ready, gone]);
    gone.catch(() => undefined);
  }

  signalDaemon(signal: NodeJS.Signals): void {
    this.#daemon?.kill(signal);
  }

  async endDaemon(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const daemon = this.#daemon;
    if (daemon === null) return;
    this.#daemon = null;
    if (daemon.exitCode !== null || daemon.signalCode !== null) return;
    const exited = once(daemon, 'exit');
    daemon.kill(signal);
    await exited;
  }

  async leave(): Promise<void> {
    await this.endDaemon('SIGTERM');
    // A command may have started another one.
    if (existsSync(join(this.data, 'daemon.json'))) this.pal(['stop']);
    rmSync(this.base, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
