import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { Agent, describeChange, type Stage } from './stage.fixture.js';

/** An agent in a worktree of its own: its paths are there. */
export class Inhabitant extends Agent {
  readonly root: string;
  readonly #stage: Stage;

  constructor(stage: Stage, session: string, root: string) {
    super(stage, session);
    this.#stage = stage;
    this.root = root;
  }

  path(path: string): string {
    return join(this.root, path);
  }

  read(path: string): string | null {
    return existsSync(this.path(path)) ? readFileSync(this.path(path), 'utf8') : null;
  }

  put(path: string, text: string | Uint8Array): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  override readFile(path: string): Promise<readonly string[]> {
    return this.call('Read', { file_path: this.path(path) }, () => undefined);
  }

  override writeFile(path: string, content: string): Promise<readonly string[]> {
    return this.call('Write', { file_path: this.path(path), content }, () => this.put(path, content));
  }

  override edit(path: string, old: string, next: string): Promise<readonly string[]> {
    return this.call('Edit', { file_path: this.path(path), old_string: old, new_string: next }, () =>
      this.put(path, (this.read(path) ?? '').split(old).join(next)),
    );
  }

  /** Runs a command around `act`. */
  run(act: (at: Inhabitant) => void): Promise<readonly string[]> {
    return this.call('Bash', { command: 'make it so' }, () => act(this), {});
  }

  remove(path: string): void {
    rmSync(this.path(path), { recursive: true });
  }

  move(from: string, to: string): void {
    mkdirSync(dirname(this.path(to)), { recursive: true });
    renameSync(this.path(from), this.path(to));
  }

  get #workspace() {
    return this.#stage.workspace;
  }

  /** What waits for a verdict, by id. */
  async pending(): Promise<readonly string[]> {
    const changes = await this.#workspace.changes({ session: this.session });
    if (!changes.ok) throw new Error(changes.error.code);
    return changes.value.map(({ id }) => id);
  }
}

export async function inWorktree(stage: Stage, session: string, mode: 'auto' | 'review'): Promise<Inhabitant> {
  const started = await stage.workspace.startSession({ id: session, agent: 'test', worktree: mode });
  if (!started.ok) throw new Error(JSON.stringify(started.error));
  const path = started.value.worktree?.path;
  expect(path).toBeDefined();
  return new Inhabitant(stage, session, path!);
}

/** All changes that were ever recorded, as `describeChange` tells them. */
export async function recorded(stage: Stage): Promise<readonly string[]> {
  const all = await stage.workspace.changes({ status: 'all' });
  if (!all.ok) throw new Error(all.error.code);
  return all.value.map(describeChange);
}
