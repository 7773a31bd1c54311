import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Checkpoint,
  type CheckpointReason,
  failed,
  type Outcome,
  ok,
  parseCheckpointId,
  type SessionId,
  type WorkspacePath,
} from '@palimpsest/core';
import type { SerialQueue } from '../basis/queue.js';
import type { Refusal } from '../basis/refusal.js';
import type { ContentStore } from '../content/content.js';
import type { Loan } from '../content/loan.js';
import type { ObjectId } from '../git/object-id.js';
import type { LiveLog } from '../store/live-log.js';
import type { CheckpointRefs } from '../store/refs.js';
import type { Locator } from '../tree/locator.js';
import type { QuietWatch } from '../watch/quiet-watch.js';
import type { Autosave } from './autosave.js';
import type { Baseline } from './baseline-trees.js';
import { type CheckpointDiff, describeDifferences, measureAt } from './checkpoint-diff.js';
import type { Collected, Collector } from './collector.js';
import type { Leaf } from './folder-node.js';
import { MESSAGE_LENGTH_LIMIT } from './moment.js';
import type { Reach } from './reach.js';
import type { RestorePlan, RestoreRequest } from './restore-plan.js';
import type { RestoreAnswer, Restorer } from './restorer.js';
import type { Saver } from './saver.js';
import { scopeOf } from './scope.js';
import type { TreeBuilder } from './tree-builder.js';
import type { LeafDifference, TreeReader } from './tree-reader.js';

type DeskParts = {
  readonly root: string;
  readonly live: LiveLog;
  readonly queue: SerialQueue;
  readonly watch: QuietWatch;
  readonly content: ContentStore;
  readonly locate: Locator;
  readonly builder: TreeBuilder;
  readonly reader: TreeReader;
  readonly saver: Saver;
  readonly autosave: Autosave;
  readonly restorer: Restorer;
  readonly collector: Collector;
  readonly refs: CheckpointRefs;
  readonly baseline: Baseline;
  /** What was saved before everything had been compared with the disk is right now too. */
  readonly corrected: Promise<void>;
  /** The store was looked through and tended once after opening. */
  readonly tended: Promise<void>;
  /** A look at the world; what running calls are doing stays with them. */
  readonly look: () => Promise<void>;
  /** The same, and everything seen is recorded, also what running calls have done so far. */
  readonly lookAndRecord: () => Promise<void>;
  readonly loan: Pick<Loan, 'open'>;
  /** What is on loan is ours, where that takes no longer than somebody who saves can wait. */
  readonly owned: Promise<void>;
  /** Whether a call is running that may be writing. */
  readonly isBusy: () => boolean;
};

/** `onLoan`: what it needs is not all ours yet, and goes if the user's repository goes before it is. */
export type KeptCheckpoint = Checkpoint & { readonly onLoan?: true };

export type SaveRequest = {
  readonly message?: string | undefined;
  readonly reason?: CheckpointReason | undefined;
  readonly session?: string | undefined;
};

/** How long a list waits for what is still owed from right after opening. */
const LIST_WAIT_MS = 5_000;
/** How long saving waits until nothing is on loan any more, where there is little of it. */
const LOAN_WAIT_MS = 5_000;
/** How often a look is repeated while the world keeps moving, before a checkpoint says so. */
const LOOKS = 3;

/** Everything a face can ask about checkpoints. Each answer is a value, refusals too. */
export class CheckpointDesk {
  readonly #parts: DeskParts;

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  /** True once states can be saved; false when the workspace was closed before. */
  get ready(): Promise<boolean> {
    return this.#parts.baseline.ready;
  }

  async save(request: SaveRequest): Promise<Outcome<KeptCheckpoint, Refusal>> {
    const { message, session, reason = 'manual' } = request;
    if ((message?.length ?? 0) > MESSAGE_LENGTH_LIMIT)
      return failed({ code: 'too-large', what: 'message', limit: MESSAGE_LENGTH_LIMIT });
    if (this.#parts.loan.open) await Promise.race([this.#parts.owned, sleep(LOAN_WAIT_MS, undefined, { ref: false })]);
    return this.#queued(async () => {
      await this.#parts.autosave.pay();
      const moving = (await this.#lookUntilQuiet()) === 'moving';
      const [saved] = await this.#parts.saver.save([
        {
          asOf: 'now',
          reason,
          ...(message === undefined ? {} : { message }),
          ...(session === undefined ? {} : { session: session as SessionId }),
          ...(moving ? { moving } : {}),
        },
      ]);
      this.#parts.collector.prune();
      return ok(this.#asKept(saved!));
    });
  }

  /** Oldest first. What is being saved by itself right now is waited for, within limits. */
  async list({ session }: { readonly session?: string | undefined }): Promise<readonly KeptCheckpoint[]> {
    const { autosave, live, baseline } = this.#parts;
    if (autosave.owes) await Promise.race([baseline.ready, sleep(LIST_WAIT_MS, undefined, { ref: false })]);
    await autosave.paid();
    const saved = [...live.views.checkpoints.saved.values()];
    const asked = session === undefined ? saved : saved.filter((checkpoint) => checkpoint.session === session);
    return asked.map((checkpoint) => this.#asKept(checkpoint));
  }

  diff(
    from: string,
    to: string,
    { path }: { readonly path?: string | undefined },
  ): Promise<Outcome<CheckpointDiff, Refusal>> {
    const { content, reader, locate, root } = this.#parts;
    const scope = path === undefined ? null : scopeOf([path], root, locate);
    if (scope !== null && !scope.ok) return Promise.resolve(scope);
    return this.#queued(async () => {
      const [a, b] = [await this.#treeOf(from), await this.#treeOf(to)];
      if (!a.ok) return a;
      if (!b.ok) return b;
      const differences = this.#withUnkept(await reader.differences(a.value, b.value), from, to);
      const entries = await describeDifferences(differences, content);
      const files = scope === null ? entries : await measureAt(entries, scope.value, content);
      return ok({ from, to, files });
    });
  }

  plan(id: string, request: RestoreRequest): Promise<Outcome<RestorePlan, Refusal>> {
    return this.#correctedAndQueued(async () => {
      const checkpoint = this.#find(id);
      if (!checkpoint.ok) return checkpoint;
      // As the restore will: what a running call did so far is part of both, or the plan would never hold.
      await this.#parts.lookAndRecord();
      const prepared = await this.#parts.restorer.prepare(checkpoint.value, request);
      return prepared.ok ? ok(prepared.value.plan) : prepared;
    });
  }

  restore(
    id: string,
    request: RestoreRequest & { readonly token?: string | undefined },
  ): Promise<Outcome<RestoreAnswer, Refusal>> {
    const { restorer, lookAndRecord, live, autosave } = this.#parts;
    return this.#correctedAndQueued(async () => {
      const checkpoint = this.#find(id);
      if (!checkpoint.ok) return checkpoint;
      await autosave.pay();
      await lookAndRecord();
      const prepared = await restorer.prepare(checkpoint.value, request);
      if (!prepared.ok) return prepared;
      const { token } = request;
      if (token !== undefined && token !== prepared.value.plan.token)
        return failed({ code: 'moved', paths: restorer.movedSince(token, prepared.value), seq: live.log.last });
      return restorer.apply(prepared.value, checkpoint.value, request);
    });
  }

  delete(id: string): Promise<Outcome<Checkpoint, Refusal>> {
    return this.#queued(async () => {
      const found = this.#find(id);
      if (!found.ok) return found;
      this.#parts.live.append([{ kind: 'checkpoint-deleted', checkpoints: [found.value.id] }]);
      this.#parts.refs.drop([found.value.id]);
      return found;
    });
  }

  pin(id: string, state: 'pinned' | 'unpinned'): Promise<Outcome<Checkpoint, Refusal>> {
    return this.#queued(async () => {
      const found = this.#find(id);
      if (!found.ok) return found;
      if (found.value.pinned !== (state === 'pinned'))
        this.#parts.live.append([{ kind: 'checkpoint-pinned', checkpoint: found.value.id, state }]);
      return this.#find(found.value.id);
    });
  }

  async gc({ dryRun }: { readonly dryRun?: boolean | undefined }): Promise<Outcome<Collected, Refusal>> {
    const { baseline, autosave, collector, corrected, queue } = this.#parts;
    if (!(await baseline.ready)) return CLOSED;
    await corrected;
    await autosave.paid();
    return queue.answer(() => (dryRun === true ? collector.foresee() : collector.collect()));
  }

  /** For what must find nothing half done: every owed checkpoint is saved, nobody packs, and the queue is held. */
  async quietly<T>(task: (keeping: Keeping) => Promise<Outcome<T, Refusal>>): Promise<Outcome<T, Refusal>> {
    const { baseline, autosave, collector, corrected, look, reader, queue } = this.#parts;
    if (!(await baseline.ready)) return CLOSED;
    await corrected;
    const reach = () => collector.reachOfAll();
    const putRefsRight = () => collector.refsPutRight();
    return queue.answer(() =>
      collector.quietly(async () => {
        await autosave.pay();
        await look();
        return task({ reader, reach, putRefsRight });
      }),
    );
  }

  async close(): Promise<void> {
    const { autosave, baseline, tended, collector, queue, refs } = this.#parts;
    autosave.stop();
    await baseline.stop();
    await Promise.all([tended, collector.stopped()]);
    await queue.idle();
    await refs.written();
  }

  /** Waits for the first trees outside of the queue, so that nobody else has to. */
  async #queued<T>(task: () => Promise<Outcome<T, Refusal>>): Promise<Outcome<T, Refusal>> {
    return (await this.#parts.baseline.ready) ? this.#parts.queue.ask(task) : CLOSED;
  }

  async #correctedAndQueued<T>(task: () => Promise<Outcome<T, Refusal>>): Promise<Outcome<T, Refusal>> {
    await this.#parts.corrected;
    return this.#queued(task);
  }

  async #lookUntilQuiet(): Promise<'quiet' | 'moving'> {
    const { look, isBusy, watch } = this.#parts;
    for (let count = 0; count < LOOKS; count++) {
      await look();
      if (watch.quiet) return isBusy() ? 'moving' : 'quiet';
    }
    return 'moving';
  }

  async #treeOf(id: string): Promise<Outcome<ObjectId, Refusal>> {
    if (id === 'now') {
      await this.#parts.look();
      return ok(this.#parts.builder.now().tree);
    }
    const found = this.#find(id);
    return found.ok ? ok(found.value.tree) : found;
  }

  #asKept(checkpoint: Checkpoint): KeptCheckpoint {
    return this.#parts.loan.open ? { ...checkpoint, onLoan: true } : checkpoint;
  }

  /** What is there now and not kept was not deleted. */
  #withUnkept(differences: readonly LeafDifference[], from: string, to: string): readonly LeafDifference[] {
    const { builder } = this.#parts;
    const sideOf = (side: string, leaf: Leaf | null, path: WorkspacePath) =>
      leaf === null && side === 'now' ? builder.unkeptAt(path) : leaf;
    return differences
      .map(({ path, before, after }) => ({
        path,
        before: sideOf(from, before, path),
        after: sideOf(to, after, path),
      }))
      .filter(({ before, after }) => before?.content !== after?.content || before?.mode !== after?.mode);
  }

  /** By its id, or by enough of its commit's. */
  #find(id: string): Outcome<Checkpoint, Refusal> {
    const { saved } = this.#parts.live.views.checkpoints;
    const parsed = parseCheckpointId(id);
    const byId = parsed.ok ? saved.get(parsed.value) : undefined;
    const found =
      byId ?? (COMMIT.test(id) ? [...saved.values()].find(({ commit }) => commit.startsWith(id)) : undefined);
    return found === undefined ? failed({ code: 'unknown-checkpoint', checkpoint: id }) : ok(found);
  }
}

/** What is needed to change what is kept. */
export type Keeping = {
  readonly reader: TreeReader;
  readonly reach: () => Promise<Reach>;
  readonly putRefsRight: () => Promise<void>;
};

const COMMIT = /^[0-9a-f]{7,40}$/;
const CLOSED = failed<Refusal>({ code: 'closed' });
