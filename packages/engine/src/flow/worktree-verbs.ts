import { randomUUID } from 'node:crypto';
import {
  type Checkpoint,
  failed,
  type Outcome,
  parseSessionId,
  type SessionState,
  type WorktreeMode,
} from '@palimpsest/core';
import type { SerialQueue } from '../basis/queue.js';
import type { Refusal } from '../basis/refusal.js';
import type { SessionDesk, StartSession } from '../call/session-desk.js';
import type { ResolveWith } from '../review/verdict.js';
import type { Rounds } from './rounds.js';
import type { RemovedWorktree, WorktreeDesk } from './worktree-desk.js';
import type { WorktreeConflict, WorktreeFacts } from './worktree-facts.js';

/** What can be asked about the worktrees of sessions. A worktree is named by its session, or the beginning of that. */
export interface WorktreeVerbs {
  list(): Promise<readonly WorktreeFacts[]>;
  show(session: string): Promise<Outcome<WorktreeFacts, Refusal>>;
  /** Looks, and lets flow what may, also what was found changed in it after nobody had watched. */
  sync(session: string): Promise<Outcome<WorktreeFacts, Refusal>>;
  /** The same, and then it goes, with its tree saved, if nothing in it is left. `commits` that no branch has: see there. */
  finish(session: string, options?: RemovalOptions): Promise<Outcome<RemovedWorktree, Refusal>>;
  remove(session: string, options?: RemovalOptions): Promise<Outcome<RemovedWorktree, Refusal>>;
  /** Files that could not be merged between a worktree and the workspace. */
  conflicts(): readonly WorktreeConflict[];
  /** `ours` is what the workspace holds, `theirs` or `agent` what the worktree holds. */
  resolve(
    conflict: string,
    how: ResolveWith,
    options?: { readonly dryRun?: boolean | undefined },
  ): Promise<Outcome<WorktreeConflict, Refusal>>;
}

/** `leave`: commits that no branch or tag has stay in the repository for git to collect; without it they are a reason to refuse. */
export type RemovalOptions = { readonly commits?: 'keep' | 'leave' | undefined };

export type LiveWorktreesParts = {
  readonly desk: WorktreeDesk;
  readonly queue: SerialQueue;
  readonly rounds: Rounds;
  readonly sessions: SessionDesk;
  /** Saves what the workspace holds now. */
  readonly save: (session: string) => Promise<Outcome<Checkpoint, Refusal>>;
};

export class LiveWorktrees implements WorktreeVerbs {
  readonly #parts: LiveWorktreesParts;

  constructor(parts: LiveWorktreesParts) {
    this.#parts = parts;
  }

  /** The session starts when its worktree is there, or not at all. One that has one goes on in it. */
  async start(request: StartSession, mode: WorktreeMode): Promise<Outcome<SessionState, Refusal>> {
    const { desk, queue, sessions, save } = this.#parts;
    const session = parseSessionId(request.id ?? randomUUID());
    if (!session.ok) return failed(session.error);
    const { worktree: _, ...rest } = request;
    const known = { ...rest, id: session.value };
    if (sessions.find(session.value)?.worktree?.place !== undefined)
      return queue.ask(async () => sessions.start(known));
    const base = await save(session.value);
    if (!base.ok) return base;
    const made = await desk.make({ session: session.value, mode, base: base.value }, (task) => queue.run(task));
    if (!made.ok) return made;
    const { path, place, portBase } = made.value.state;
    return queue.ask(async () => sessions.start({ ...known, worktree: { path, mode, place, portBase } }));
  }

  list(): Promise<readonly WorktreeFacts[]> {
    return this.#parts.desk.list();
  }

  show(session: string): Promise<Outcome<WorktreeFacts, Refusal>> {
    return this.#parts.desk.show(session);
  }

  sync(session: string): Promise<Outcome<WorktreeFacts, Refusal>> {
    return this.#inTurn(() => this.#parts.desk.sync(session));
  }

  finish(session: string, { commits = 'keep' }: RemovalOptions = {}): Promise<Outcome<RemovedWorktree, Refusal>> {
    return this.#inTurn(async () => {
      const synced = await this.#parts.desk.sync(session);
      return synced.ok ? this.#parts.desk.remove(session, commits) : synced;
    });
  }

  remove(session: string, { commits = 'keep' }: RemovalOptions = {}): Promise<Outcome<RemovedWorktree, Refusal>> {
    return this.#inTurn(() => this.#parts.desk.remove(session, commits));
  }

  conflicts(): readonly WorktreeConflict[] {
    return this.#parts.desk.conflicts();
  }

  resolve(
    conflict: string,
    how: ResolveWith,
    { dryRun }: { readonly dryRun?: boolean | undefined } = {},
  ): Promise<Outcome<WorktreeConflict, Refusal>> {
    return this.#inTurn(() => this.#parts.desk.resolve(conflict, how, dryRun === true ? 'pretend' : 'do'));
  }

  #inTurn<T>(task: () => Promise<Outcome<T, Refusal>>): Promise<Outcome<T, Refusal>> {
    return this.#parts.queue.ask(() => this.#parts.rounds.look().then(task));
  }
}
