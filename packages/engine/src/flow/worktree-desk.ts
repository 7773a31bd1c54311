import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  Apart,
  type Checkpoint,
  FILE_KINDS,
  failed,
  filesOf,
  type Outcome,
  ok,
  type PlaceId,
  parseFlowConflictId,
  placeId,
  type Seq,
  type SessionId,
  type WorkspacePath,
  type WorktreeMode,
  type WorktreeState,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type { Remarks } from '../basis/remarks.js';
import type { WorktreeSettings } from '../basis/settings.js';
import type { UserRepository } from '../git/user-repository.js';
import type { OpenPlace } from '../place/place.js';
import type { Places } from '../place/places.js';
import { isOpen } from '../review/meant.js';
import type { ResolveWith } from '../review/verdict.js';
import type { LiveLog } from '../store/live-log.js';
import type { Store } from '../store/open-store.js';
import { findWorktrees, sweepWorktrees } from '../worktree/found.js';
import { makeWorktree } from '../worktree/make-worktree.js';
import { removeWorktree } from '../worktree/remove-worktree.js';
import type { Carried, NotCarried } from '../worktree/worktree.js';
import type { Flows } from './flows.js';
import type { Rounds } from './rounds.js';
import { settleConflict } from './settle-conflict.js';
import type { WorktreeConflict, WorktreeFacts } from './worktree-facts.js';

export type WorktreeDeskParts = {
  readonly root: string;
  readonly store: Store;
  readonly live: LiveLog;
  readonly places: Places;
  readonly flows: Flows;
  readonly rounds: Rounds;
  readonly repository: UserRepository | null;
  readonly settings: WorktreeSettings;
  readonly remarks: Remarks;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Opens the place of a worktree. `anew`: it was made just now, and holds what its checkpoint holds. */
  readonly open: (worktree: WorktreeState, how: 'anew' | 'again') => Promise<OpenPlace & { readonly id: PlaceId }>;
  /** Saves the tree of a worktree as it is. */
  readonly save: (place: OpenPlace, worktree: WorktreeState) => Promise<Checkpoint>;
  readonly isIgnored: (path: WorkspacePath) => Promise<boolean>;
};

export type MadeForSession = {
  readonly state: WorktreeState;
  readonly carried: readonly Carried[];
  readonly notCarried: readonly NotCarried[];
};

export type RemovedWorktree = { readonly path: string; readonly checkpoint: string };

/** Making, showing and ending the worktrees of sessions. */
export class WorktreeDesk {
  readonly #parts: WorktreeDeskParts;

  constructor(parts: WorktreeDeskParts) {
    this.#parts = parts;
  }

  get #home(): string {
    return join(this.#parts.store.folder, 'worktrees');
  }

  /** Finds those again that are there. What happened in them meanwhile is nobody's, as far as anybody can tell. */
  async reopen(): Promise<void> {
    const { live, remarks } = this.#parts;
    if (existsSync(this.#home)) await this.#sweep();
    for (const worktree of [...live.views.worktrees.live.values()]) {
      if (!existsSync(worktree.path)) {
        live.append([{ kind: 'worktree-removed', worktree: worktree.place }]);
        remarks.add(`the worktree ${worktree.path} is gone; its session works in the workspace itself now`);
        continue;
      }
      this.#add(await this.#parts.open(worktree, 'again'));
    }
  }

  /**
   * Outside of the queue, because it may take long: what changes in the workspace meanwhile flows into it afterwards.
   * `record` says in the queue that it is there.
   */
  async make(
    request: { readonly session: SessionId; readonly mode: WorktreeMode; readonly base: Checkpoint },
    record: <T>(task: () => Promise<T>) => Promise<T>,
  ): Promise<Outcome<MadeForSession, Refusal>> {
    const { root, store, repository, settings, environment, live } = this.#parts;
    const { session, mode, base } = request;
    const name = this.#nameFor(session);
    const made = await makeWorktree({
      ...{ root, repository, objects: store.objects, home: this.#home, name },
      ...{ tree: base.tree, settings, environment },
    });
    if (!made.ok) return failed(refusalOf(made.error));
    const { path, portBase, leftOut, carried, notCarried } = made.value;
    try {
      const place = await record(async () => {
        const apart = this.#changedSince(base.seq);
        const [operation] = live.append([
          {
            ...{ kind: 'worktree-made', session, path, mode, base: base.id, name, portBase },
            ...(leftOut.length === 0 ? {} : { leftOut }),
            ...(apart.files.length === 0 ? {} : { apart: apart.files }),
          },
        ]);
        return placeId(operation!.seq);
      });
      const state = live.views.worktrees.live.get(place)!;
      const opened = await this.#parts.open(state, 'anew');
      await record(async () => this.#add(opened));
      return ok({ state, carried, notCarried });
    } catch (error) {
      await this.#takeBack(name);
      throw error;
    }
  }

  /**
   * What a process that died left half made. One that is whole and that the log does not name is left alone: a process may
   * have died before it was recorded, but the log may also have been lost, with somebody's work in it.
   */
  async #sweep(): Promise<void> {
    const { live, remarks } = this.#parts;
    await sweepWorktrees(this.#home);
    const named = new Set([...live.views.worktrees.live.values()].map(({ name }) => name));
    for (const { name, path } of await findWorktrees(this.#home))
      if (!named.has(name))
        remarks.add(`the worktree ${path} belongs to no session that is known; nothing is done with it`);
  }

  #add(place: OpenPlace & { readonly id: PlaceId }): void {
    this.#parts.places.add(place);
    this.#parts.rounds.follow(place);
  }

  list(): Promise<readonly WorktreeFacts[]> {
    return Promise.all([...this.#parts.live.views.worktrees.live.values()].map((state) => this.#factsOf(state)));
  }

  async show(session: string): Promise<Outcome<WorktreeFacts, Refusal>> {
    const found = this.#find(session);
    return found.ok ? ok(await this.#factsOf(found.value)) : found;
  }

  conflicts(): readonly WorktreeConflict[] {
    return [...this.#parts.live.views.worktrees.live.values()].flatMap(conflictsOf);
  }

  /** What was found after nobody had watched may flow too. Inside the queue. */
  async sync(session: string): Promise<Outcome<WorktreeFacts, Refusal>> {
    const found = this.#find(session);
    if (!found.ok) return found;
    const { place, unwatched } = found.value;
    if (unwatched.size > 0) this.#parts.live.append([{ kind: 'worktree-synced', worktree: place }]);
    await this.#parts.flows.run();
    return this.show(session);
  }

  async resolve(
    input: string,
    how: ResolveWith,
    manner: 'do' | 'pretend',
  ): Promise<Outcome<WorktreeConflict, Refusal>> {
    const id = parseFlowConflictId(input);
    if (!id.ok) return id;
    const { live, places, store, flows } = this.#parts;
    const worktree = [...live.views.worktrees.live.values()].find(({ conflicts }) => conflicts.has(id.value));
    if (worktree === undefined) return failed({ code: 'unknown-change', change: input });
    const conflict = conflictsOf(worktree).find((one) => one.id === id.value)!;
    if (manner === 'pretend') return ok(conflict);
    const there = places.at(worktree.place);
    if (there === null) return failed({ code: 'unknown-session', session: worktree.session });
    const settled = await settleConflict({ worktree, conflict, how, here: places.main, there, content: store.content });
    if (!settled.ok) return settled;
    this.#acceptWhatStays(worktree, conflict, how);
    await flows.run();
    return ok(conflict);
  }

  /** Whoever takes the worktree's text, or makes one of both, has decided what of it waits: else it would not stay. */
  #acceptWhatStays({ mode, place }: WorktreeState, { here, there }: WorktreeConflict, how: ResolveWith): void {
    if (mode !== 'review' || ('take' in how && how.take === 'ours')) return;
    const { live } = this.#parts;
    const open = [...live.views.review.entries.values()].filter(
      (entry) => entry.place === place && isOpen(entry) && (entry.path === here || entry.path === there),
    );
    if (open.length === 0) return;
    const changes = open.map(({ id }) => id);
    live.append([{ kind: 'decided', verdict: 'accept', hunks: [], changes, cascaded: [], conflicts: [], files: [] }]);
  }

  /** Inside the queue, after a look: its tree is saved, and it goes, if nothing in it is waited for and nobody is in it. */
  async remove(session: string, commits: 'keep' | 'leave'): Promise<Outcome<RemovedWorktree, Refusal>> {
    const found = this.#find(session);
    if (!found.ok) return found;
    const { live, places, store } = this.#parts;
    const worktree = found.value;
    const facts = await this.#factsOf(worktree);
    const left = facts.apart.filter(({ ignored }) => !ignored).map(({ path }) => path);
    if (facts.pending.length + facts.conflicts.length + left.length > 0)
      return failed({
        code: 'worktree-holds',
        folder: worktree.path,
        pending: facts.pending,
        conflicts: facts.conflicts.map(({ id }) => id),
        apart: left,
      });
    const place = places.at(worktree.place);
    const saved = place === null ? null : await this.#parts.save(place, worktree);
    const removed = await removeWorktree({ home: this.#home, name: worktree.name, git: store.git, commits });
    if (!removed.ok) return failed(refusalOf(removed.error));
    places.remove(worktree.place);
    live.append([
      { kind: 'worktree-removed', worktree: worktree.place, ...(saved === null ? {} : { checkpoint: saved.id }) },
    ]);
    live.drop(worktree.place);
    if (place !== null) this.#parts.rounds.leave(place);
    await place?.close();
    return ok({ path: worktree.path, checkpoint: saved?.id ?? worktree.base });
  }

  async #factsOf(state: WorktreeState): Promise<WorktreeFacts> {
    const { entries } = this.#parts.live.views.review;
    const { place, session, path, mode, portBase, madeAt, base } = state;
    const open = [...entries.values()].filter((entry) => entry.place === place && isOpen(entry));
    const paths = state.apart.files.map(({ here, there, base: agreed }) => (here ?? there ?? agreed)!.path);
    const apart = await Promise.all(
      paths.map(async (each) => ({ path: each, ignored: await this.#parts.isIgnored(each) })),
    );
    return {
      ...{ place, session, path, mode, portBase, madeAt, base, apart },
      pending: open.map(({ id }) => id),
      unwatched: [...state.unwatched],
      conflicts: conflictsOf(state),
    };
  }

  #find(name: string): Outcome<WorktreeState, Refusal> {
    const all = [...this.#parts.live.views.worktrees.live.values()];
    const { sessions } = this.#parts.live.views.sessions;
    const place = sessions.get(name as SessionId)?.worktree?.place;
    const exact = all.find((one) => one.session === name || one.place === name || one.place === place);
    if (exact !== undefined) return ok(exact);
    const like = all.filter(({ session }) => name !== '' && session.startsWith(name));
    if (like.length === 1) return ok(like[0]!);
    if (like.length > 1)
      return failed({ code: 'ambiguous', what: 'session', name, like: like.map(({ session }) => session) });
    return failed({ code: 'unknown-session', session: name });
  }

  #changedSince(seq: Seq): Apart {
    const apart = new Apart();
    for (const operation of this.#parts.live.log.find({ kinds: FILE_KINDS, since: seq })) {
      const files = filesOf(operation);
      if (files.length > 0) apart.change('here', files);
    }
    return apart;
  }

  /** Its session did not start, so nobody is in it and nothing of anybody's. */
  async #takeBack(name: string): Promise<void> {
    const { live, store } = this.#parts;
    const state = [...live.views.worktrees.live.values()].find((each) => each.name === name);
    if (state !== undefined) live.append([{ kind: 'worktree-removed', worktree: state.place }]);
    await removeWorktree({ home: this.#home, name, git: store.git, commits: 'leave' });
  }

  #nameFor(session: SessionId): string {
    const safe = session.replace(/[^\w.-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
    const name = safe === '' ? 'session' : safe.slice(0, NAME_LENGTH);
    const isFree = safe === session && !existsSync(join(this.#home, name));
    return isFree ? name : `${name}-${randomBytes(3).toString('hex')}`;
  }
}

const NAME_LENGTH = 60;

function conflictsOf({ session, conflicts }: WorktreeState): readonly WorktreeConflict[] {
  return Array.from(conflicts, ([id, conflict]) => ({
    ...conflict,
    id,
    session,
    path: (conflict.here ?? conflict.there)!,
  }));
}

function refusalOf(error: { readonly code: string }): Refusal {
  if (error.code === 'no-space') return { code: 'no-space' };
  const { code, ...facts } = error;
  return { code: 'no-worktree', why: code, facts };
}
