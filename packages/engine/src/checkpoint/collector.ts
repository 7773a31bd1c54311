import { type CheckpointId, expiredCheckpoints, isAutomatic, type Outcome, ok } from '@palimpsest/core';
import type { SerialQueue } from '../basis/queue.js';
import type { Refusal } from '../basis/refusal.js';
import type { CheckpointSettings } from '../basis/settings.js';
import type { ObjectStore } from '../git/objects.js';
import { takeInventory } from '../git/owned.js';
import { GitFailure } from '../git/run.js';
import { bytesOf, consolidate, dropPack, packNeeded, removeUnneeded } from '../git/sweep.js';
import type { LiveLog } from '../store/live-log.js';
import type { CheckpointRefs } from '../store/refs.js';
import { Reach, type ReachParts } from './reach.js';

type CollectorParts = ReachParts & {
  readonly objects: ObjectStore;
  readonly live: LiveLog;
  readonly queue: SerialQueue;
  readonly refs: CheckpointRefs;
  readonly settings: CheckpointSettings;
  readonly bytesOnDisk: () => Promise<number>;
  /** While a damaged log is set aside nobody can say what it needs, and nothing is removed. */
  readonly hasLogAside: () => boolean;
  readonly now: () => number;
  readonly remark: (line: string) => void;
  readonly signal: AbortSignal;
};

export type Collected = {
  /** Checkpoints that had served their time. */
  readonly checkpoints: readonly CheckpointId[];
  /** Objects that nothing needed any more, and the bytes that were freed; in a dry run, those that would be. */
  readonly objects: number;
  readonly bytes: number;
  /** The size of the store afterwards. */
  readonly left: number;
  /** Whether everything was kept, because a damaged log is set aside that may need it. */
  readonly held: boolean;
};

const COLLECTED_AT = 'collected-at';
const COLLECT_EVERY_MS = 24 * 60 * 60 * 1000;
/** When the store is over its limit, this part of the checkpoints goes at a time, and so many times at most. */
const PRUNED_PART = 1 / 4;
const PRUNE_ROUNDS = 8;

/**
 * Lets go of what has served its time, and removes what nothing needs. The long part, packing, runs beside everything
 * else; only the removal, which takes milliseconds, has the queue to itself.
 */
export class Collector {
  readonly #parts: CollectorParts;
  #collecting: Promise<Outcome<Collected, Refusal>> | null = null;
  #packing: Promise<unknown> = Promise.resolve();

  constructor(parts: CollectorParts) {
    this.#parts = parts;
  }

  /** One at a time: who asks while it runs gets what that run did. */
  collect(): Promise<Outcome<Collected, Refusal>> {
    this.#collecting ??= this.#alone(() => this.#collect()).finally(() => {
      this.#collecting = null;
    });
    return this.#collecting;
  }

  /** Resolves when nothing is running; whoever asked for it is told how it ended. */
  async stopped(): Promise<void> {
    await this.#packing;
  }

  /**
   * What a store needs from time to time, by itself: checkpoints that have served their time go; once a day everything
   * unneeded is removed; and many small files become few, so that looking things up stays quick.
   */
  async tend(): Promise<void> {
    const { live, queue, objects, signal, now } = this.#parts;
    const { log } = live;
    const last = Number(log.marks.get(COLLECTED_AT) ?? 0);
    if (last === 0) log.marks.set(COLLECTED_AT, String(now()));
    else if (now() - last >= COLLECT_EVERY_MS) {
      await this.collect();
      return;
    }
    await queue.run(async () => this.prune());
    const packed = await this.#alone(() => consolidate(objects, signal));
    if (!packed.ok) throw new GitFailure(packed.error);
  }

  async foresee(): Promise<Outcome<Collected, Refusal>> {
    const { objects, bytesOnDisk } = this.#parts;
    const checkpoints = this.#expired();
    const reach = this.#reach(new Set(checkpoints));
    await reach.advance();
    const inventory = await takeInventory(objects.gitDir);
    const unneeded = this.#parts.hasLogAside() ? [] : [...inventory.ids].filter((id) => !reach.needed.has(id));
    const bytes = await bytesOf(objects, unneeded);
    const held = this.#parts.hasLogAside();
    return ok({ checkpoints, objects: unneeded.length, bytes, left: (await bytesOnDisk()) - bytes, held });
  }

  /** Deletes what the rules of retention let go; the bytes go with the next collection. Inside the queue. */
  prune(): readonly CheckpointId[] {
    return this.#delete(this.#expired());
  }

  /** The log says which checkpoints there are; what one set aside has to say about it is not known. */
  putRefsRight(): void {
    const { refs, live, hasLogAside } = this.#parts;
    refs.putRight(() => live.views.checkpoints.saved.values(), hasLogAside() ? 'keep others' : 'drop others');
  }

  /** While nobody packs, with the queue to itself. */
  quietly<T>(task: () => Promise<T>): Promise<T> {
    return this.#alone(() => this.#parts.queue.run(task));
  }

  /** Everything that anything needs, however old. */
  async reachOfAll(): Promise<Reach> {
    const reach = new Reach(this.#parts, 0);
    await reach.advance();
    return reach;
  }

  async refsPutRight(): Promise<void> {
    this.putRefsRight();
    await this.#parts.refs.written();
  }

  async #collect(): Promise<Outcome<Collected, Refusal>> {
    const { queue, live, settings, bytesOnDisk } = this.#parts;
    const before = await bytesOnDisk();
    const pruned = [...(await queue.run(async () => this.prune()))];
    let removed = await this.#sweep();
    const isOver = async () => !this.#parts.hasLogAside() && (await bytesOnDisk()) > settings.storeBytes;
    for (let round = 0; round < PRUNE_ROUNDS && (await isOver()); round++) {
      const oldest = this.#oldest();
      if (oldest.length === 0) break;
      pruned.push(...(await queue.run(async () => this.#delete(oldest))));
      removed += await this.#sweep();
    }
    await this.refsPutRight();
    live.log.marks.set(COLLECTED_AT, String(this.#parts.now()));
    const left = await bytesOnDisk();
    const held = this.#parts.hasLogAside();
    return ok({ checkpoints: pruned, objects: removed, bytes: Math.max(0, before - left), left, held });
  }

  async #sweep(): Promise<number> {
    const { objects, queue, live, signal, remark, hasLogAside } = this.#parts;
    if (hasLogAside()) return 0;
    const reach = this.#reach(new Set());
    await reach.advance();
    for (const id of reach.damaged) remark(`checkpoint ${id} is damaged and cannot be restored`);
    const marked = reach.seq;
    const inventory = await takeInventory(objects.gitDir);
    const pack = await packNeeded(objects, inventory, reach.needed, reach.names, signal);
    if (!pack.ok) throw new GitFailure(pack.error);
    return queue.run(async () => {
      await reach.advance();
      if (live.log.find({ kinds: ['forgotten'], since: marked, limit: 1 }).length > 0) {
        // The new pack may hold what was to be forgotten.
        await dropPack(objects, pack.value, inventory);
        return 0;
      }
      const done = await removeUnneeded(objects, inventory, reach.needed, pack.value);
      if (!done.ok) throw new GitFailure(done.error);
      return done.value.removed;
    });
  }

  /** A lock within this process: whoever packs must not find things removed meanwhile, and the other way round. */
  #alone<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#packing.then(task);
    this.#packing = done.catch(() => undefined);
    return done;
  }

  #reach(without: ReadonlySet<CheckpointId>): Reach {
    const { now, settings } = this.#parts;
    return new Reach(this.#parts, now() - settings.historyAgeMs, without);
  }

  #expired(): readonly CheckpointId[] {
    const { live, settings, now, hasLogAside } = this.#parts;
    if (hasLogAside()) return [];
    const rule = { count: settings.keptCount, ageMs: settings.keptAgeMs };
    return expiredCheckpoints(live.views.checkpoints.saved.values(), rule, now());
  }

  /** Automatic ones first; the newest of all, and what was pinned, never. */
  #oldest(): readonly CheckpointId[] {
    const all = [...this.#parts.live.views.checkpoints.saved.values()];
    const free = all.slice(0, -1).filter(({ pinned }) => !pinned);
    const automatic = free.filter(({ reason }) => isAutomatic(reason));
    const candidates = automatic.length > 0 ? automatic : free;
    return candidates.slice(0, Math.ceil(candidates.length * PRUNED_PART)).map(({ id }) => id);
  }

  #delete(ids: readonly CheckpointId[]): readonly CheckpointId[] {
    const { live, refs } = this.#parts;
    if (ids.length === 0) return [];
    live.append([{ kind: 'checkpoint-deleted', checkpoints: ids }]);
    refs.drop(ids);
    return ids;
  }
}
