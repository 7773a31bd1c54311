import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeJson } from '@palimpsest/protocol';
import type { AgentName } from '../../apps/pal/src/agents/agents.js';
import { ended, type Ran, User, type Workspace } from '../cli/pal.fixture.js';
import { LIMIT_MS } from '../patience.fixture.js';
import type { Driver } from './driver.fixture.js';
import { ScriptedModel, type Step } from './scripted-model.fixture.js';

/** What every workspace of these stories holds. */
export const FILES = {
  'src/app.js': 'export function add(a, b) {\n  return a - b\n}\n',
  'hello.txt': 'hello world\nsecond line\n',
  'notes.txt': 'one\ntwo\nthree\n',
} as const;

/** A real agent with a home of its own, a workspace, and a model that says what it is told to. */
export class Seat {
  readonly user: User;
  readonly workspace: Workspace;
  readonly driver: Driver;
  readonly program: string;
  readonly model: ScriptedModel;
  readonly #leave: (() => void | Promise<void>)[] = [];
  readonly #isGuest: boolean;

  private constructor(driver: Driver, program: string, model: ScriptedModel, place: Place) {
    this.driver = driver;
    this.program = program;
    this.model = model;
    this.user = place.beside?.user ?? new User();
    this.#isGuest = place.beside !== undefined;
    if (place.beside !== undefined) this.workspace = place.beside.workspace;
    else this.workspace = place.git === false ? this.user.folderOf(FILES) : this.user.workspace(FILES);
    for (const [path, text] of Object.entries(place.untracked ?? {})) this.workspace.write(path, text);
  }

  static async take(driver: Driver, program: string, place: Place = {}): Promise<Seat> {
    const seat = new Seat(driver, program, await ScriptedModel.start(), place);
    await driver.prepare(seat);
    return seat;
  }

  get agent(): AgentName {
    return this.driver.agent;
  }

  get home(): string {
    return this.user.environment.HOME!;
  }

  get environment(): Readonly<Record<string, string>> {
    return { ...this.user.environment, ...this.driver.environment(this) };
  }

  path(name: string): string {
    return join(this.workspace.root, name);
  }

  /** Every file of the workspace but git's own, with its bytes, as plain reading gives them. */
  tree(): ReadonlyMap<string, string> {
    const { root } = this.workspace;
    const files = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .filter((path) => !path.startsWith('.git/'));
    return new Map(files.map((path) => [path, readFileSync(join(root, path), 'latin1')]));
  }

  homeFile(name: string, text: string): void {
    mkdirSync(dirname(join(this.home, name)), { recursive: true });
    writeFileSync(join(this.home, name), text);
  }

  readHome(name: string): string {
    return readFileSync(join(this.home, name), 'utf8');
  }

  onLeave(undo: () => void | Promise<void>): void {
    this.#leave.push(undo);
  }

  async init(...options: readonly string[]): Promise<Ran> {
    const ran = await this.wire(...options);
    await this.stockTaken();
    return ran;
  }

  /** The agent may start before anything of the workspace has been looked at. */
  async wire(...options: readonly string[]): Promise<Ran> {
    const ran = await this.user.pal(['init', '--agent', this.agent, ...options], {
      cwd: this.workspace.root,
      env: this.driver.environment(this),
    });
    if (ran.exit !== 0) throw new Error(`pal init: ${ran.stdout}${ran.stderr}`);
    return ran;
  }

  /** The stories are about agents, not about how long a loaded machine takes to start the daemon and to look around. */
  async stockTaken(): Promise<void> {
    while ((await this.workspace.json<{ takingStock: boolean }>('status')).takingStock) await sleep(50);
  }

  /** One headless run of the agent, start to exit. */
  async run(prompt: string, steps: readonly Step[], options: RunOptions = {}): Promise<Ran> {
    this.model.play(steps);
    return this.start(this.driver.words(this, prompt, options), options);
  }

  async start(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
    const child = spawn(words[0]!, words.slice(1), {
      cwd: this.workspace.root,
      env: { ...this.environment, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // One that hangs is ended.
    const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    const ran = await ended(child);
    clearTimeout(timer);
    return ran;
  }

  async changes(...options: readonly string[]): Promise<readonly ChangeJson[]> {
    return (await this.workspace.json<{ changes: readonly ChangeJson[] }>('changes', ...options)).changes;
  }

  /** What the latest session has seen of a file, also when it has ended: whether each is still in front of its model. */
  async visible(path: string): Promise<readonly boolean[]> {
    const { sessions } = await this.workspace.json<{ sessions: readonly { id: string }[] }>('session', 'list');
    const { files } = await this.workspace.json<{ files: readonly { path: string; visible: boolean }[] }>(
      'stale',
      '--session',
      sessions.at(-1)!.id,
    );
    return files.filter((file) => file.path === path).map(({ visible }) => visible);
  }

  async leave(): Promise<void> {
    for (const undo of this.#leave.reverse()) await undo();
    await this.model.stop();
    if (!this.#isGuest) this.user.leave();
  }
}

export type Place = {
  /** Without it, a repository in which everything is committed. */
  readonly git?: false;
  readonly untracked?: Readonly<Record<string, string>>;
  /** The agent shares the user and the workspace of this one, who leaves later. */
  readonly beside?: Seat;
};

export type RunOptions = {
  /** The latest session, or the one of that id. */
  readonly resume?: true | string;
  readonly model?: string;
  readonly env?: Readonly<Record<string, string>>;
};
