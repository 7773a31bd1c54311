import type { ContentId, WorkspacePath } from '@palimpsest/core';
import { canWrite } from '../call-plan.js';
import type { Calls } from '../calls.js';
import type { Capture } from '../capture.js';
import type { Journal } from '../journal.js';
import type { KnownTree } from '../known-tree.js';
import type { Locator } from '../locator.js';
import type { Store } from '../open-store.js';
import type { Opening } from '../opening.js';
import type { SerialQueue } from '../queue.js';
import type { Remarks } from '../remarks.js';
import type { Rescan } from '../rescan.js';
import type { Settings } from '../settings.js';
import type { Tracker } from '../tracker.js';
import type { Disk } from '../tree/disk.js';
import type { Writer } from '../writer.js';
import { Autosave } from './autosave.js';
import { Baseline } from './baseline-trees.js';
import { CheckpointDesk } from './checkpoint-desk.js';
import { Collector } from './collector.js';
import type { ConversationRestore } from './conversation-restore.js';
import { checkStore } from './health.js';
import type { QuietWatch } from './quiet-watch.js';
import { Reach } from './reach.js';
import { CheckpointRefs } from './refs.js';
import { Restorer } from './restorer.js';
import { Saver } from './saver.js';
import { TreeBuilder } from './tree-builder.js';
import { TreeReader } from './tree-reader.js';

export type CheckpointsParts = {
  readonly root: string;
  readonly settings: Settings;
  readonly now: () => number;
  readonly store: Store;
  readonly journal: Journal;
  readonly known: KnownTree;
  readonly disk: Disk;
  readonly watch: QuietWatch;
  readonly rescan: Rescan;
  readonly capture: Capture;
  readonly tracker: Tracker;
  readonly calls: Calls;
  readonly opening: Opening;
  readonly writer: Writer;
  readonly queue: SerialQueue;
  readonly locate: Locator;
  readonly remarks: Remarks;
  readonly conversation: ConversationRestore;
  /** Resolves when every known file has been compared with the disk once: trees before that may be wrong. */
  readonly compared: Promise<void>;
};

/** The part of a workspace that saves checkpoints and goes back to them, put together. */
export function openCheckpoints(parts: CheckpointsParts): CheckpointDesk {
  const { root, settings, now, store, journal, known, disk, watch, rescan, writer, queue, locate, remarks } = parts;
  const { objects, content } = store;
  const onFault = (error: unknown) => remarks.fault(error);
  const builder = new TreeBuilder(known);
  const reader = new TreeReader(objects, builder);
  const refs = new CheckpointRefs(objects.gitDir, onFault);
  const saver = new Saver({ builder, objects, journal, rescan, refs, now });
  const baseline = new Baseline({ builder, objects }, parts.compared, onFault);
  const { look, lookAndRecord } = lookingWith(parts);
  const autosave = new Autosave({ journal, queue, builder, saver, settings: settings.checkpoints, look, onFault });
  const restorer = new Restorer({
    ...{ root, builder, reader, saver, known, content, disk, journal, writer, locate },
    conversation: parts.conversation,
  });
  const collector = new Collector({
    ...{ objects, journal, known, reader, queue, refs, now },
    trees: () => builder.treeIds(),
    held: () => parts.capture.heldContents(),
    settings: settings.checkpoints,
    bytesOnDisk: () => content.bytesOnDisk(),
    remark: (line) => remarks.add(line),
    signal: baseline.signal,
  });
  void baseline.ready.then((ready) => {
    if (!ready) return;
    autosave.begin();
    refs.putRight(() => journal.views.checkpoints.saved.values());
  });
  const checked = baseline.stored.then(() => reportHealth(parts, baseline.signal)).catch(onFault);
  const isBusy = () => parts.calls.openPlans().some(canWrite);
  return new CheckpointDesk({
    ...{ root, journal, queue, watch, content, locate, builder, reader, saver, autosave, restorer, collector, refs },
    ...{ baseline, checked, look, lookAndRecord, isBusy },
  });
}

/** What the log and the checkpoints need beside the contents of known files, as far as it is there. */
export async function neededContents(
  parts: Pick<CheckpointsParts, 'store' | 'journal' | 'known' | 'capture'>,
): Promise<readonly ContentId[]> {
  const { store, journal, known, capture } = parts;
  const reader = new TreeReader(store.objects, null);
  const reach = new Reach({ journal, known, reader, trees: () => [], held: () => capture.heldContents() }, 0);
  await reach.advance();
  for (const state of known.states()) reach.needed.delete(state.content);
  const found: ContentId[] = [];
  for (const id of reach.needed) if (await store.objects.has(id)) found.push(id as ContentId);
  return found;
}

function lookingWith({ calls, tracker, opening }: CheckpointsParts) {
  const suspects = () => calls.openPlans().map((plan) => ({ plan, outcome: 'running' as const }));
  const look = async () => {
    const { circumstance } = opening;
    await tracker.track({ suspects: suspects(), named: [], circumstance }, calls.openPlans());
  };
  const lookAndRecord = async () => {
    const named = calls.openPlans().flatMap((plan): WorkspacePath[] => [...plan.writes.keys()]);
    await tracker.track({ suspects: suspects(), named, circumstance: opening.circumstance }, []);
  };
  return { look, lookAndRecord };
}

async function reportHealth(parts: CheckpointsParts, signal: AbortSignal): Promise<void> {
  const { store, known, disk, journal, remarks } = parts;
  if (signal.aborted) return;
  const saved = [...journal.views.checkpoints.saved.values()];
  const { objects, content } = store;
  const { mended, lost, broken } = await checkStore({ objects, content, known, disk, signal }, saved);
  if (mended > 0) remarks.add(`${mended} contents were missing from the store and were taken from the disk again`);
  if (lost.length > 0) remarks.add(`the stored bytes of ${lost.length} files are gone, among them ${lost[0]}`);
  if (broken.length > 0)
    remarks.add(`${broken.length} checkpoints are damaged and cannot be restored, among them ${broken[0]?.id}`);
}
