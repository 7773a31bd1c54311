import type { Outcome, ReviewEntry } from '@palimpsest/core';
import { expect } from 'vitest';
import { type Agent, type Stage, type StageOptions, stage } from '../stories/stage.fixture.js';
import type { RejectOptions, Selection } from './verdict.js';

/** A stage with somebody who reviews. Agents here read a file before they edit it. */
export class ReviewStage {
  readonly on: Stage;

  constructor(on: Stage) {
    this.on = on;
  }

  get workspace() {
    return this.on.workspace;
  }

  /** One call that makes `path` hold `text`; gives the id of its change. */
  async writes(session: string, path: string, text: string): Promise<string> {
    const agent = this.on.agent(session);
    if (this.on.read(path) !== null) await agent.readFile(path);
    await agent.writeFile(path, text);
    return this.lastId();
  }

  async shell(session: string, command: string): Promise<string> {
    await this.on.agent(session).shell(command);
    return this.lastId();
  }

  agent(session: string): Agent {
    return this.on.agent(session);
  }

  async human(path: string, text: string | Uint8Array): Promise<void> {
    this.on.write(path, text);
    await this.workspace.look();
  }

  async entries(): Promise<readonly ReviewEntry[]> {
    const found = given(await this.workspace.changes({ status: 'all' }));
    return found.filter(({ author }) => author.kind === 'agent');
  }

  async lastId(): Promise<string> {
    const last = (await this.entries()).at(-1);
    if (last === undefined) throw new Error('no change was recorded');
    return last.id;
  }

  async statuses(): Promise<string> {
    return (await this.entries()).map(({ status }) => status).join(' ');
  }

  async rejects(selection: Selection, options: RejectOptions = {}) {
    return given(await this.workspace.reject(selection, options));
  }

  async accepts(selection: Selection) {
    return given(await this.workspace.accept(selection));
  }

  async undoes() {
    return given(await this.workspace.undo());
  }

  async redoes() {
    return given(await this.workspace.redo());
  }

  /** How many verdicts the log holds. */
  decisions(): number {
    return this.workspace.operations(0, 1_000).filter(({ kind }) => kind === 'decided').length;
  }

  text(path: string): string | null {
    return this.on.read(path);
  }
}

/** `kind` is `plain` unless the story is about git: a repository takes a while to make. */
export async function reviewing(
  files: Readonly<Record<string, string>>,
  options: Omit<StageOptions, 'files'> = {},
): Promise<ReviewStage> {
  return new ReviewStage(await stage({ kind: 'plain', ...options, files }));
}

export function given<T>(outcome: Outcome<T, { readonly code: string }>): T {
  expect(outcome.ok ? null : outcome.error).toBeNull();
  if (!outcome.ok) throw new Error(outcome.error.code);
  return outcome.value;
}

/** `abc` stands for three lines. */
export const lines = (letters: string) => Array.from(letters, (letter) => `${letter}\n`).join('');
