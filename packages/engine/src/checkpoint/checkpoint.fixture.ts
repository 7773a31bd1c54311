import { chmodSync, lstatSync, readdirSync, readFileSync, readlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Checkpoint, Outcome } from '@palimpsest/core';
import { expect } from 'vitest';
import type { Refusal } from '../basis/refusal.js';
import { userGit } from '../git/repository.fixture.js';
import type { Stage } from '../stories/stage.fixture.js';

/** Every file below a folder with its bytes and mode, as an oracle that knows nothing of how we store them. */
export function photograph(folder: string): ReadonlyMap<string, string> {
  const seen = new Map<string, string>();
  const visit = (path: string) => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const below = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.name === '.git') continue;
      if (entry.isDirectory()) visit(below);
      else if (entry.isSymbolicLink()) seen.set(below, `-> ${readlinkSync(join(folder, below))}`);
      else {
        const executable = (lstatSync(join(folder, below)).mode & 0o100) !== 0;
        seen.set(below, `${executable ? 'x' : '-'} ${readFileSync(join(folder, below)).toString('latin1')}`);
      }
    }
  };
  visit('');
  return seen;
}

export function value<T>(outcome: Outcome<T, Refusal>): T {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
  return outcome.value;
}

export function refusal<T>(outcome: Outcome<T, Refusal>): Refusal {
  expect(outcome.ok, JSON.stringify(outcome)).toBe(false);
  return outcome.ok ? (null as never) : outcome.error;
}

export async function save(stage: Stage, message?: string): Promise<Checkpoint> {
  return value(await stage.workspace.saveCheckpoint(message === undefined ? {} : { message }));
}

/** Plain git on our store. */
export function storeGit(stage: Stage, ...args: readonly string[]): string {
  const gitDir = join(stage.data, 'content.git');
  return userGit(gitDir, '--git-dir', gitDir, ...args);
}

/** Each as `reason` or `reason(call)`, oldest first. */
export async function reasons(stage: Stage, session?: string): Promise<readonly string[]> {
  const list = await stage.workspace.checkpoints(session === undefined ? {} : { session });
  return list.map(({ reason, call }) => (call === null ? reason : `${reason}(${call})`));
}

/** Cuts the stored object of one file of a checkpoint short, as a failing disk would. */
export function truncateObject(stage: Stage, commit: string, path: string, part: 'start' | 'end' = 'start'): void {
  const id = storeGit(stage, 'rev-parse', `${commit}:${path}`);
  const file = join(stage.data, 'content.git', 'objects', id.slice(0, 2), id.slice(2));
  chmodSync(file, 0o600);
  // What is left has no header, or only its last bytes are missing, which shows when they are needed.
  truncateSync(file, part === 'start' ? 5 : lstatSync(file).size - 3);
}
