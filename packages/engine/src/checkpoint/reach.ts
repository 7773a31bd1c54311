import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Checkpoint,
  type CheckpointId,
  type Operation,
  type Seq,
  type SessionId,
  traitsOf,
  UNRECORDED_CONTENT,
} from '@palimpsest/core';
import { isObjectId, type ObjectId } from '../git/object-id.js';
import type { KnownTree } from '../store/known-tree.js';
import type { LiveLog } from '../store/live-log.js';
import { DamagedCheckpoint, type TreeReader } from './tree-reader.js';

export type ReachParts = {
  readonly live: LiveLog;
  readonly known: KnownTree;
  readonly reader: TreeReader;
  /** Contents that were observed and are not in the log yet. */
  readonly held: () => Iterable<ObjectId>;
  /** Trees of the present state, which later checkpoints take to be stored. */
  readonly trees: () => Iterable<ObjectId>;
};

const OPERATIONS_AT_ONCE = 5_000;

/** Finds every object that anything still needs: the answer to what may be removed is everything else. */
export class Reach {
  readonly needed = new Set<ObjectId>();
  /** Where an object was met, which tells git what resembles it. */
  readonly names = new Map<ObjectId, string>();
  readonly damaged = new Set<CheckpointId>();
  readonly #parts: ReachParts;
  readonly #horizonMs: number;
  readonly #walked: Set<CheckpointId>;
  readonly #trees = new Set<ObjectId>();
  #seq: Seq | 0 = 0;

  /** Settled operations before `horizonMs` hold nothing, and neither do the checkpoints in `without`. */
  constructor(parts: ReachParts, horizonMs: number, without: ReadonlySet<CheckpointId> = new Set()) {
    this.#parts = parts;
    this.#horizonMs = horizonMs;
    this.#walked = new Set(without);
  }

  /** Up to which operation the log has been gone through. */
  get seq(): Seq | 0 {
    return this.#seq;
  }

  /** Goes on from where it was: what has come into need since is added. */
  async advance(): Promise<void> {
    await this.#log();
    const { live, known, trees, held } = this.#parts;
    for (const checkpoint of [...live.views.checkpoints.saved.values()]) await this.#checkpoint(checkpoint);
    for (const state of known.states()) this.#name(state.content, state.path);
    for (const id of held()) this.needed.add(id);
    for (const id of trees()) this.needed.add(id);
    const { review, freshness, worktrees } = live.views;
    // What a worktree holds otherwise than the workspace is not among the known files.
    for (const { apart, conflicts } of worktrees.live.values()) this.#collect([apart.files, [...conflicts.values()]]);
    for (const entry of review.entries.values())
      if (entry.status === 'pending' || entry.status === 'conflict') this.#collect(entry);
    for (const session of freshness.sessions.values())
      for (const { last, now } of session.seen.values())
        for (const id of [last.content, last.base, now.content, now.base]) if (id !== null) this.needed.add(id);
    // It stands for bytes that nobody has.
    this.needed.delete(UNRECORDED_CONTENT);
  }

  async #log(): Promise<void> {
    const { log } = this.#parts.live;
    for (;;) {
      const operations = log.read(this.#seq, OPERATIONS_AT_ONCE);
      for (const operation of operations) if (this.#holds(operation)) this.#collect(operation);
      this.#seq = operations.at(-1)?.seq ?? this.#seq;
      if (operations.length < OPERATIONS_AT_ONCE) return;
      await nextTurn();
    }
  }

  /** A kind that this version does not know holds on to whatever it names. */
  #holds(operation: Operation): boolean {
    const { kind, at } = operation;
    if (kind === 'message-added' || kind === 'task-imported') return this.#isSaid(operation);
    const holds = traitsOf(kind)?.holds ?? 'always';
    return holds === 'always' || (holds === 'while-young' && at >= this.#horizonMs);
  }

  /** What was said is kept as long as the session is there; one that was deleted and began anew has only the new. */
  #isSaid({ session, seq }: Operation & { readonly session: SessionId }): boolean {
    const first = this.#parts.live.views.conversations.sessions.get(session)?.branches[0];
    return first !== undefined && seq > first.from;
  }

  async #checkpoint({ id, commit, tree, coverage }: Checkpoint): Promise<void> {
    if (this.#walked.has(id)) return;
    this.#walked.add(id);
    this.needed.add(commit);
    if (coverage !== null) this.needed.add(coverage);
    try {
      await this.#tree(tree, '');
    } catch (error) {
      // What cannot be read cannot be restored either; the rest of it is kept all the same.
      if (!(error instanceof DamagedCheckpoint)) throw error;
      this.damaged.add(id);
    }
  }

  async #tree(tree: ObjectId, path: string): Promise<void> {
    if (this.#trees.has(tree)) return;
    this.#trees.add(tree);
    this.#name(tree, path);
    for (const { mode, name, id } of await this.#parts.reader.entries(tree)) {
      const below = path === '' ? name : `${path}/${name}`;
      if (mode === '40000') await this.#tree(id, below);
      else this.#name(id, below);
    }
  }

  #name(id: ObjectId, path: string): void {
    this.needed.add(id);
    if (!this.names.has(id)) this.names.set(id, path);
  }

  /** Every id in a value, wherever it stands: so that no kind of operation can be forgotten here. */
  #collect(value: unknown): void {
    if (typeof value === 'string') {
      if (value.length === 40 && isObjectId(value)) this.needed.add(value);
    } else if (Array.isArray(value)) {
      for (const item of value) this.#collect(item);
    } else if (typeof value === 'object' && value !== null) {
      for (const item of Object.values(value)) this.#collect(item);
    }
  }
}
