import {
  asContentId,
  type Checkpoint,
  type CheckpointSaved,
  type ContentId,
  checkpointId,
  FILE_KINDS,
  type FileVersion,
  type Operation,
  type Seq,
  versionsBefore,
  type WorkspacePath,
} from '@palimpsest/core';
import { hashObject, type ObjectId } from '../git/object-id.js';
import type { NewObject, ObjectStore } from '../git/objects.js';
import { encodeCommit } from '../git/trees.js';
import type { Adopted } from '../look/adopted.js';
import type { Opening } from '../look/opening.js';
import type { Rescan } from '../look/rescan.js';
import type { KnownTree } from '../store/known-tree.js';
import type { LiveLog } from '../store/live-log.js';
import type { CheckpointRefs } from '../store/refs.js';
import { isUnread } from '../store/unread.js';
import type { CoverageReport } from '../tree/coverage.js';
import { coverageList, encodeCoverage } from '../tree/coverage-list.js';
import type { MadeTree } from './folder-node.js';
import type { Moment } from './moment.js';
import type { BuiltTree, TreeBuilder } from './tree-builder.js';

type SaverParts = {
  readonly builder: TreeBuilder;
  readonly objects: ObjectStore;
  readonly live: LiveLog;
  readonly rescan: Rescan;
  readonly known: KnownTree;
  readonly opening: Pick<Opening, 'named'>;
  readonly refs: CheckpointRefs;
  /** What files held that are ahead of the log. */
  readonly held: () => Iterable<readonly [WorkspacePath, FileVersion | null]>;
  readonly adopted: Adopted;
  readonly now: () => number;
};

type Saved = Pick<CheckpointSaved, 'tree' | 'commit'> & { readonly coverage?: ContentId | null };

type StoredCoverage = {
  readonly report: CoverageReport;
  readonly id: ContentId;
  readonly bytes: Uint8Array;
  readonly count: number;
  readonly incomplete: boolean;
};

/** Files of a moment that are in no tree: too large to keep, or gone before anybody could read them. */
type Without = { readonly large: ReadonlySet<WorkspacePath>; readonly unread: ReadonlySet<WorkspacePath> };
type Past = { readonly built: BuiltTree; readonly without: Without };

const AUTHOR = 'Palimpsest <palimpsest@localhost>';

/**
 * Saves checkpoints: trees and a commit in our store, then one entry of the log, which is what makes them true. A tree
 * that the last checkpoint has already is not committed again, unless somebody has something to say about it.
 *
 * Runs inside the workspace's queue, after a look at the world.
 */
export class Saver {
  readonly #parts: SaverParts;
  #coverage: StoredCoverage | null = null;

  constructor(parts: SaverParts) {
    this.#parts = parts;
  }

  /** Oldest moment first, and so are the checkpoints. */
  async save(moments: readonly Moment[]): Promise<readonly Checkpoint[]> {
    const { builder, objects, live, refs } = this.#parts;
    const trees = new Map<ObjectId, MadeTree>();
    const objectsToWrite: NewObject[] = [];
    const bodies: CheckpointSaved[] = [];
    let last: Saved | undefined = this.last();
    const history = this.#historySince(moments);
    const lists = new Map<ContentId, Uint8Array>();
    for (const moment of moments) {
      const { built, without } = this.#pastOf(moment, history);
      const coverage = this.#coverageOf(without);
      lists.set(coverage.id, coverage.bytes);
      for (const made of builder.unstored(built.tree)) trees.set(made.id, made);
      const same = last?.tree === built.tree && last.coverage === coverage.id;
      let commit = last?.commit;
      if (!same || commit === undefined || moment.message !== undefined) {
        const bytes = this.#commitOf(moment, built, coverage.id);
        commit = hashObject('commit', bytes);
        objectsToWrite.push({ type: 'commit', bytes });
      }
      const body = bodyOf(moment, built, commit, coverage);
      bodies.push(body);
      last = body;
    }
    if (objectsToWrite.length > 0) {
      objectsToWrite.push(...[...trees.values()].map(({ bytes }): NewObject => ({ type: 'tree', bytes })));
      objectsToWrite.push(...[...lists.values()].map((bytes): NewObject => ({ type: 'blob', bytes })));
      await objects.writeMany(objectsToWrite);
      builder.stored([...trees.values()]);
    }
    const ids = live.append(bodies).map(({ seq }, index) => bodies[index]?.replaces ?? checkpointId(seq));
    const saved = ids.map((id) => live.views.checkpoints.saved.get(id)!);
    for (const checkpoint of saved) refs.keep(checkpoint);
    return saved;
  }

  /** The newest checkpoint of the workspace. */
  last(): Checkpoint | undefined {
    let newest: Checkpoint | undefined;
    for (const checkpoint of this.#parts.live.views.checkpoints.saved.values()) newest = checkpoint;
    return newest;
  }

  /** The tree of the state after an operation, by what is known now. */
  treeAt(asOf: Seq): ObjectId {
    return this.#pastOf({ asOf }, this.#historySince([{ asOf }])).built.tree;
  }

  /** What became of files since the oldest of these moments, oldest first. */
  #historySince(moments: readonly Pick<Moment, 'asOf'>[]): readonly Operation[] {
    const { log } = this.#parts.live;
    const since = Math.min(...moments.map(({ asOf }) => (asOf === 'now' ? log.last : asOf)));
    return since >= log.last ? [] : log.find({ kinds: FILE_KINDS, since: since as Seq });
  }

  #pastOf({ asOf }: Pick<Moment, 'asOf'>, history: readonly Operation[]): Past {
    const { builder, live, adopted, held } = this.#parts;
    // What running calls did so far is in no operation yet, and will be in a later one.
    const before = new Map<WorkspacePath, FileVersion | null>(asOf === 'now' ? [] : held());
    if (asOf !== 'now' && asOf < live.log.last) {
      const later = history.filter(({ seq }) => seq > asOf);
      for (const [path, version] of versionsBefore(later)) before.set(path, version);
      for (const path of adopted.after(asOf)) before.set(path, null);
    }
    const without = this.#without(before);
    for (const path of [...without.large, ...without.unread]) if (before.has(path)) before.set(path, null);
    return { built: before.size === 0 ? builder.now() : builder.nowExcept(before), without };
  }

  /** `before`: the files that were others then. */
  #without(before: ReadonlyMap<WorkspacePath, FileVersion | null>): Without {
    const { builder, known, rescan } = this.#parts;
    const limit = rescan.coverage.rules.limits.keptFileBytes;
    const large = new Set<WorkspacePath>();
    const unread = new Set<WorkspacePath>();
    for (const path of builder.unkept) if (!before.has(path)) (isUnread(known.get(path)) ? unread : large).add(path);
    for (const [path, version] of before) {
      if (isUnread(version)) unread.add(path);
      else if ((version?.size ?? 0) > limit) large.add(path);
    }
    return { large, unread };
  }

  /** Encoding is spared while nothing new was left out; large files are few, and are looked at each time. */
  #coverageOf({ large, unread }: Without): StoredCoverage {
    const { report } = this.#parts.rescan;
    const plain = large.size === 0 && unread.size === 0;
    const incomplete = unread.size > 0 || !this.#parts.opening.named;
    if (plain && this.#coverage?.report === report && this.#coverage.incomplete === incomplete) return this.#coverage;
    const list = coverageList(report, large, unread);
    const bytes = encodeCoverage(list);
    const id = asContentId(hashObject('blob', bytes));
    const coverage = { report, id, bytes, count: list.uncovered.length + list.beyond, incomplete };
    if (plain) this.#coverage = coverage;
    return coverage;
  }

  #commitOf(moment: Moment, { tree, files }: BuiltTree, coverage: ContentId): Buffer {
    const { reason, session, call, message, asOf } = moment;
    const title = message ?? (call === undefined ? reason : `${reason} ${oneLine(call)}`);
    const facts = [
      `Reason: ${reason}`,
      ...(session === undefined ? [] : [`Session: ${oneLine(session)}`]),
      ...(call === undefined ? [] : [`Call: ${oneLine(call)}`]),
      `Seq: ${asOf === 'now' ? this.#parts.live.log.last : asOf}`,
      `Files: ${files}`,
      `Not-covered: ${coverage}`,
    ];
    const timeSeconds = this.#parts.now() / 1000;
    return encodeCommit({
      tree,
      parents: [],
      author: AUTHOR,
      timeSeconds,
      message: `${title}\n\n${facts.join('\n')}\n`,
    });
  }
}

function bodyOf(
  moment: Moment,
  { tree, files }: BuiltTree,
  commit: ObjectId,
  coverage: Pick<StoredCoverage, 'id' | 'count' | 'incomplete'>,
): CheckpointSaved {
  const { asOf, ...said } = moment;
  return {
    kind: 'checkpoint-saved',
    commit,
    tree,
    ...said,
    files,
    uncovered: coverage.count,
    coverage: coverage.id,
    ...(coverage.incomplete ? { incomplete: true as const } : {}),
    ...(asOf === 'now' || asOf === 0 ? {} : { asOf }),
  };
}

/** Ids are whatever an agent chose; in a commit message they must stay on their line. */
function oneLine(id: string): string {
  return /^[\x21-\x7e]+$/.test(id) ? id : JSON.stringify(id);
}
