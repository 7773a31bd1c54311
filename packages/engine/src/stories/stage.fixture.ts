import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { ReviewEntry } from '@palimpsest/core';
import { kindOfChange } from '@palimpsest/core';
import { expect } from 'vitest';
import { afterwards } from '../../../../test/afterwards.fixture.js';
import { newFolder } from '../../../../test/folder.fixture.js';
import { commitAll, gitEnvironment, runGit } from '../../../../test/git.fixture.js';
import type { BeginAnswer } from '../call/calls.js';
import { closedAfter, openDatabase } from '../log/sqlite.js';
import { type OpenOptions, openWorkspace } from '../open-workspace.js';
import type { EndResult, Workspace } from '../workspace.js';

/**
 * Everything that tests start is ended after each of them, also when they fail. Folders stay until the last: on ext4 a file
 * that is made soon after many were removed costs a search through all of those.
 */
const stages: Stage[] = [];
afterwards('test', async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

export type StageOptions = {
  /** `git`: a repository with these files committed. `plain`: no repository. */
  readonly kind?: 'git' | 'plain';
  readonly files?: Readonly<Record<string, string>>;
  readonly open?: Partial<OpenOptions>;
};

/** Makes operations unreadable, and everything that would spare us from reading them. */
export function breakOperations(log: string, where: string): void {
  closedAfter(openDatabase(log, {}), (database) =>
    database.exec(`DELETE FROM view; UPDATE operation SET body = '{' WHERE ${where}; PRAGMA wal_checkpoint(TRUNCATE)`),
  );
}

export async function stage(options: StageOptions = {}): Promise<Stage> {
  const built = new Stage(options);
  stages.push(built);
  await built.open();
  return built;
}

/** A real folder, a real store, and people and agents to act on them. */
export class Stage {
  readonly folder = newFolder();
  readonly root = join(this.folder, 'work');
  readonly data = join(this.folder, 'data');
  readonly #options: StageOptions;
  #workspace: Workspace | null = null;
  #calls = 0;

  constructor(options: StageOptions) {
    this.#options = options;
    mkdirSync(this.root);
    for (const [path, text] of Object.entries(options.files ?? {})) this.write(path, text);
    if ((options.kind ?? 'git') === 'git') commitAll(this.root);
  }

  get workspace(): Workspace {
    if (this.#workspace === null) throw new Error('the workspace is not open');
    return this.#workspace;
  }

  async open(): Promise<Workspace> {
    const opened = await openWorkspace(this.root, { data: this.data, environment: process.env, ...this.#options.open });
    if (!opened.ok) throw new Error(`cannot open: ${JSON.stringify(opened.error)}`);
    this.#workspace = opened.value;
    await opened.value.stockTaken();
    return opened.value;
  }

  async close(): Promise<void> {
    await this.#workspace?.close();
    this.#workspace = null;
  }

  async reopen(): Promise<void> {
    await this.close();
    await this.open();
  }

  path(path: string): string {
    return join(this.root, path);
  }

  /** The human, or anybody, writes a file. */
  write(path: string, text: string | Uint8Array): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  remove(path: string): void {
    rmSync(this.path(path), { recursive: true });
  }

  move(from: string, to: string): void {
    mkdirSync(dirname(this.path(to)), { recursive: true });
    renameSync(this.path(from), this.path(to));
  }

  chmod(path: string, mode: number): void {
    chmodSync(this.path(path), mode);
  }

  link(path: string, target: string): void {
    symlinkSync(target, this.path(path));
  }

  touch(path: string, seconds = Date.now() / 1000): void {
    utimesSync(this.path(path), seconds, seconds);
  }

  read(path: string): string | null {
    return existsSync(this.path(path)) ? readFileSync(this.path(path), 'utf8') : null;
  }

  git(...args: string[]): string {
    return runGit(this.root, args);
  }

  shell(command: string): void {
    const run = spawnSync('bash', ['-c', command], { cwd: this.root, encoding: 'utf8', env: gitEnvironment() });
    if (run.error) throw run.error;
  }

  agent(session: string): Agent {
    return new Agent(this, session);
  }

  nextCall(): string {
    this.#calls += 1;
    return `call-${this.#calls}`;
  }

  /** All that was recorded, oldest first, each as `kind path by whom evidence`. */
  async records(): Promise<readonly string[]> {
    await this.workspace.look();
    const changes = await this.workspace.changes({ status: 'all' });
    if (!changes.ok) throw new Error(changes.error.code);
    return changes.value.map(describeChange);
  }
}

/** An agent that behaves: it announces its calls, acts on the real disk, and says when it is done. */
export class Agent {
  readonly #stage: Stage;
  readonly session: string;

  constructor(stage: Stage, session: string) {
    this.#stage = stage;
    this.session = session;
  }

  async begin(
    tool: string,
    input: unknown,
    callId = this.#stage.nextCall(),
    more: object = {},
  ): Promise<BeginAnswer & { callId: string }> {
    const answer = await this.#stage.workspace.begin({ session: this.session, callId, tool, input, ...more });
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return { ...answer.value, callId };
  }

  async end(callId: string, more: object = {}): Promise<EndResult> {
    const answer = await this.#stage.workspace.end({ session: this.session, callId, ...more });
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer.value;
  }

  /** Runs one call around `act`; gives what was recorded for it. */
  async call(
    tool: string,
    input: unknown,
    act: () => void | Promise<void>,
    more: object = {},
  ): Promise<readonly string[]> {
    const { callId, decision, reason } = await this.begin(tool, input);
    expect(decision, reason ?? '').not.toBe('deny');
    await act();
    return (await this.end(callId, more)).changes.map(describeChange);
  }

  readFile(path: string): Promise<readonly string[]> {
    return this.call('Read', { file_path: this.#stage.path(path) }, () => undefined);
  }

  writeFile(path: string, content: string): Promise<readonly string[]> {
    return this.call('Write', { file_path: this.#stage.path(path), content }, () => this.#stage.write(path, content));
  }

  edit(path: string, old: string, next: string): Promise<readonly string[]> {
    return this.call('Edit', { file_path: this.#stage.path(path), old_string: old, new_string: next }, () =>
      this.applyEdit(path, old, next),
    );
  }

  applyEdit(path: string, old: string, next: string): void {
    this.#stage.write(path, (this.#stage.read(path) ?? '').split(old).join(next));
  }

  shell(command: string): Promise<readonly string[]> {
    return this.call('Bash', { command }, () => this.#stage.shell(command));
  }
}

export function describeChange(entry: ReviewEntry): string {
  const { author, file, evidence, cause } = entry;
  const who =
    author.kind === 'agent'
      ? `${author.session}/${author.tool}`
      : author.kind === 'human'
        ? 'human'
        : `unknown(${author.candidates.map((candidate) => candidate.session).join(',')})`;
  const what = file.fromPath === undefined ? file.path : `${file.fromPath}>${file.path}`;
  return `${kindOfChange(file)} ${what} ${who} ${evidence}${cause === null ? '' : ` ${cause}`}`;
}
