import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commitAll } from '../git.fixture.js';
import { LIMIT_MS } from '../patience.fixture.js';

export const PAL = fileURLToPath(new URL('../../apps/pal/bin/pal.js', import.meta.url));
const BUNDLE = fileURLToPath(new URL('../../apps/pal/bundle/quick.cjs', import.meta.url));

let drafts = 0;

export type Ran = {
  readonly exit: number;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};
export type RunOptions = {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
};

/** A user with a home, a data directory and a daemon of their own, who has nothing of this machine's. */
const COMMITTER = {
  GIT_AUTHOR_NAME: 'T',
  GIT_AUTHOR_EMAIL: 't@example.invalid',
  GIT_COMMITTER_NAME: 'T',
  GIT_COMMITTER_EMAIL: 't@example.invalid',
};

export class User {
  readonly folder: string;
  readonly data: string;
  readonly environment: Readonly<Record<string, string>>;
  #workspaces = 0;

  constructor() {
    if (!existsSync(BUNDLE)) throw new Error('run `npm run build` first: the stories go through the real binary');
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'pal-cli-')));
    this.data = join(this.folder, 'data');
    const home = join(this.folder, 'home');
    mkdirSync(home);
    this.environment = {
      PATH: process.env.PATH ?? '',
      HOME: home,
      TMPDIR: tmpdir(),
      LANG: 'C.UTF-8',
      PALIMPSEST_HOME: this.data,
      GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
      GIT_CONFIG_NOSYSTEM: '1',
    };
  }

  /** A git repository with these files committed. */
  workspace(files: Readonly<Record<string, string>> = { 'a.txt': 'one\ntwo\nthree\n' }): Workspace {
    const workspace = this.folderOf(files);
    commitAll(workspace.root, { ...this.environment, ...COMMITTER });
    return workspace;
  }

  /** The same without git. */
  folderOf(files: Readonly<Record<string, string>>): Workspace {
    const root = join(this.folder, `workspace-${++this.#workspaces}`);
    mkdirSync(root);
    const workspace = new Workspace(this, root);
    for (const [path, text] of Object.entries(files)) workspace.write(path, text);
    return workspace;
  }

  start(args: readonly string[], { env = {}, cwd = this.folder }: RunOptions = {}): ChildProcess {
    return spawn(process.execPath, [PAL, ...args], {
      cwd,
      env: { ...this.environment, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  pal(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    const child = this.start(args, options);
    child.stdin!.on('error', () => undefined);
    child.stdin!.end(options.stdin ?? '');
    return ended(child);
  }

  /** Stops the daemon, if there is one, and removes every trace. */
  leave(): void {
    spawnSync(process.execPath, [PAL, 'stop'], { env: this.environment, timeout: LIMIT_MS });
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

export class Workspace {
  readonly user: User;
  readonly root: string;

  constructor(user: User, root: string) {
    this.user = user;
    this.root = root;
  }

  pal(...args: string[]): Promise<Ran> {
    return this.user.pal(args, { cwd: this.root });
  }

  say(args: readonly string[], what: unknown, options: RunOptions = {}): Promise<Ran> {
    return this.user.pal(args, {
      cwd: this.root,
      stdin: typeof what === 'string' ? what : JSON.stringify(what),
      ...options,
    });
  }

  /** The one document that a command with --json prints. */
  async json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
    return documentOf<T>(await this.pal(...args, '--json'));
  }

  /** A whole tool call: begin, the work, end. */
  async call(session: string, callId: string, tool: string, input: unknown, work: () => void): Promise<Ran> {
    const begun = await this.say(['tool', 'begin', '--json'], { session, callId, tool, input });
    if (begun.exit !== 0) return begun;
    work();
    return this.say(['tool', 'end', '--json'], { session, callId });
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  /** In one step, so that nobody who looks meanwhile sees half of it. */
  put(path: string, text: string): void {
    const draft = join(this.user.folder, `draft-${process.pid}-${++drafts}`);
    writeFileSync(draft, text);
    renameSync(draft, join(this.root, path));
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  git(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync('git', args, {
      cwd: this.root,
      env: this.user.environment,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout;
  }
}

export function ended(child: ChildProcess): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
      });
    }
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ exit: code ?? -1, signal, ...said }));
  });
}

/** Exactly one JSON document, or an error that shows what there was instead. */
export function documentOf<T = Record<string, unknown>>({ stdout, stderr }: Pick<Ran, 'stdout' | 'stderr'>): T {
  try {
    return JSON.parse(stdout) as T;
  } catch {
    throw new Error(`not one JSON document: ${JSON.stringify(stdout)} ${stderr}`);
  }
}

export type ErrorDocument = {
  readonly error: { readonly code: string; readonly message: string; readonly hint?: string };
};
