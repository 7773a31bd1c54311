import type { Checkpoint, Seq } from '@palimpsest/core';
import type { SerialQueue } from '../basis/queue.js';
import type { Remarks } from '../basis/remarks.js';
import type { Settings } from '../basis/settings.js';
import type { ObjectId } from '../git/object-id.js';
import type { UserRepository } from '../git/user-repository.js';
import type { Adopted } from '../look/adopted.js';
import { canWrite } from '../look/call-plan.js';
import type { Opening } from '../look/opening.js';
import type { Rescan } from '../look/rescan.js';
import type { Stock } from '../look/stock.js';
import type { Tracker } from '../look/tracker.js';
import type { KnownTree } from '../store/known-tree.js';
import type { LiveLog } from '../store/live-log.js';
import type { Store } from '../store/open-store.js';
import { CheckpointRefs } from '../store/refs.js';
import type { Disk } from '../tree/disk.js';
import type { Locator } from '../tree/locator.js';
import type { QuietWatch } from '../watch/quiet-watch.js';
import type { Writer } from '../write/writer.js';
import { Autosave } from './autosave.js';
import { beginBaseline } from './baseline-trees.js';
import { CheckpointDesk } from './checkpoint-desk.js';
import { Collector } from './collector.js';
import type { ConversationRestore } from './conversation-restore.js';
import { checkStore } from './health.js';
import { ignoredNow } from './ignored-now.js';
import type { Moment } from './moment.js';
import { Reach } from './reach.js';
import { Restorer } from './restorer.js';
import { Saver } from './saver.js';
import { TreeBuilder } from './tree-builder.js';
import { namedByOwnTrees, TreeReader } from './tree-reader.js';

type CheckpointsParts = {
  readonly root: string;
  readonly settings: Settings;
  readonly now: () => number;
  readonly store: Store;
  readonly live: LiveLog;
  readonly known: KnownTree;
  readonly disk: Disk;
  readonly watch: QuietWatch;
  readonly rescan: Rescan;
  readonly tracker: Tracker;
  readonly opening: Opening;
  readonly adopted: Adopted;
  readonly writer: Writer;
  readonly queue: SerialQueue;
  readonly locate: Locator;
  readonly repository: UserRepository | null;
  readonly remarks: Remarks;
  readonly conversation: ConversationRestore;
  readonly stock: Pick<Stock, 'taken' | 'compared' | 'owned' | 'ownsAtOnce'>;
};

const TEND_EVERY_MS = 60 * 60 * 1000;

/** The part of a workspace that saves checkpoints and goes back to them, put together. */
export function openCheckpoints(parts: CheckpointsParts): CheckpointDesk {
  const { root, settings, now, store, live, known, disk, watch, rescan, tracker, writer, queue, locate } = parts;
  const { remarks } = parts;
  const { objects, content } = store;
  const onFault = (error: unknown) => remarks.fault(error);
  if (store.setAside !== null) loseAll(live);
  const openedAt = live.log.last;
  const borrows = store.loan.open;
  const builder = new TreeBuilder(known);
  const reader = new TreeReader(objects, builder);
  const refs = new CheckpointRefs(objects.gitDir, onFault);
  const saver = new Saver({
    ...{ builder, objects, live, rescan, known, refs, now },
    opening: parts.opening,
    adopted: parts.adopted,
    held: () => tracker.heldVersions(),
  });
  const baseline = beginBaseline({ builder, objects, taken: parts.stock.taken, giveWay: queue.giveWay }, onFault);
  const look = async () => void (await tracker.look());
  const lookAndRecord = async () => void (await tracker.lookAndRecordAll());
  const autosave = new Autosave({ live, queue, saver, settings: settings.checkpoints, look, onFault });
  const restorer = new Restorer({
    ...{ root, builder, reader, saver, known, content, disk, live, writer, locate },
    conversation: parts.conversation,
    ignored: () => ignoredNow(rescan.rules(), parts.repository),
  });
  const collector = new Collector({
    ...{ objects, live, known, reader, queue, refs, now },
    trees: () => builder.treeIds(),
    held: () => tracker.heldContents(),
    settings: settings.checkpoints,
    bytesOnDisk: () => content.bytesOnDisk(),
    hasLogAside: () => store.logsAside().length > 0,
    remark: (line) => remarks.add(line),
    signal: baseline.signal,
  });
  const corrected = baseline.ready.then(async (ready) => {
    if (!ready) return;
    autosave.begin();
    collector.putRefsRight();
    if (borrows) await correct(parts, saver, openedAt);
  });
  const checked = corrected.then(() => reportHealth(parts, baseline.signal));
  const tend = () => (baseline.signal.aborted ? Promise.resolve() : collector.tend().catch(unlessStopped));
  const unlessStopped = (error: unknown) => (baseline.signal.aborted ? undefined : onFault(error));
  const tended = checked.then(tend);
  const timer = setInterval(() => void tend(), TEND_EVERY_MS).unref();
  baseline.signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  const isBusy = () => tracker.openPlans().some(canWrite);
  return new CheckpointDesk({
    ...{ root, live, queue, watch, content, locate, builder, reader, saver, autosave, restorer, collector, refs },
    ...{ baseline, look, lookAndRecord, isBusy, loan: store.loan },
    owned: parts.stock.ownsAtOnce ? parts.stock.owned : Promise.resolve(),
    corrected: corrected.catch(onFault),
    tended: tended.catch(onFault),
  });
}

/**
 * All that the log, the checkpoints and the known files need, each time it is asked; and what our own trees named when
 * this was opened, so that none of them is left with a hole.
 */
export function neededContents(
  parts: Pick<CheckpointsParts, 'store' | 'live' | 'known' | 'tracker'>,
): () => Promise<Iterable<ObjectId>> {
  const { store, live, known, tracker } = parts;
  const reader = new TreeReader(store.objects, null);
  const reach = new Reach({ live, known, reader, trees: () => [], held: () => tracker.heldContents() }, 0);
  // Known now: a state that turns out to be wrong may stand in a tree by then.
  if (store.loan.open) for (const { content } of known.states()) reach.needed.add(content);
  let trees: Promise<Iterable<ObjectId>> | null = null;
  return async () => {
    trees ??= namedByOwnTrees(store.objects);
    for (const id of await trees) reach.needed.add(id);
    await reach.advance();
    return reach.needed;
  };
}

/** The contents were set aside, and with them every checkpoint. */
function loseAll(live: LiveLog): void {
  const checkpoints = [...live.views.checkpoints.saved.keys()];
  if (checkpoints.length > 0) live.append([{ kind: 'checkpoint-deleted', checkpoints }]);
}

/**
 * What git's index said of a file may be wrong where git converts line endings; that comes out when it is compared, some
 * seconds after the first open, or changed before. What was saved until then is saved again, as it really was.
 */
async function correct({ stock, queue, live }: CheckpointsParts, saver: Saver, since: Seq | 0): Promise<void> {
  const wrong = await stock.compared;
  await queue.run(async () => {
    const early = [...live.views.checkpoints.saved.values()].filter(({ seq }) => seq > since);
    const again = early.filter(({ asOf, tree, moving }) => (moving ? wrong.length > 0 : saver.treeAt(asOf) !== tree));
    if (again.length === 0) return;
    await saver.save(again.map(momentOf));
  });
}

function momentOf({ id, asOf, reason, session, call, message, moving }: Checkpoint): Moment {
  return {
    ...{ asOf, reason, replaces: id },
    ...(session === null ? {} : { session }),
    ...(call === null ? {} : { call }),
    ...(message === null ? {} : { message }),
    ...(moving ? { moving: true as const } : {}),
  };
}

async function reportHealth(parts: CheckpointsParts, signal: AbortSignal): Promise<void> {
  const { store, known, disk, live, remarks } = parts;
  if (signal.aborted) return;
  const saved = [...live.views.checkpoints.saved.values()];
  const { objects, content } = store;
  const forgettings = live.log.find({ kinds: ['forgotten'] });
  const forgotten = new Set(forgettings.flatMap((one) => (one.kind === 'forgotten' ? one.contents : [])));
  const open = [...live.views.review.entries.values()].filter(
    ({ status, file: { before, after } }) =>
      (status === 'pending' || status === 'conflict') &&
      ![before, after].some((version) => version !== null && forgotten.has(version.content)),
  );
  const { mended, lost, broken, stuck } = await checkStore({ objects, content, known, disk, signal }, saved, open);
  if (mended > 0) remarks.add(`${mended} contents were missing from the store and were taken from the disk again`);
  if (lost.length > 0) remarks.add(`the stored bytes of ${lost.length} files are gone, among them ${lost[0]}`);
  if (broken.length > 0)
    remarks.add(`${broken.length} checkpoints are damaged and cannot be restored, among them ${broken[0]?.id}`);
  if (stuck.length > 0)
    remarks.add(
      `the stored bytes of ${stuck.length} open changes are gone, among them ${stuck[0]}: they cannot be taken back`,
    );
}
