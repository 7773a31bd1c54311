import {
  type ChangeId,
  callOfOperation,
  failed,
  type Outcome,
  ok,
  type Seq,
  seqOfChange,
  sessionOfOperation,
  type WorkspacePath,
} from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import type { Journal } from '../journal.js';
import type { KnownTree } from '../known-tree.js';
import type { Refusal } from '../refusal.js';
import type { FileWrite, Writer } from '../writer.js';
import { FilePlanner } from './file-plan.js';
import { CHANGING, type FollowedFiles, Lineages } from './lineage.js';
import { isOpen } from './selection.js';
import { Texts } from './texts.js';

export type ReviewParts = {
  readonly journal: Journal;
  readonly content: ContentStore;
  readonly known: KnownTree;
  readonly writer: Writer;
  readonly followed: FollowedFiles;
  readonly locate: (path: string) => Outcome<WorkspacePath, Refusal>;
};

/** Operations since a seq that are gone through in one pass to see which files moved. */
const PASS_LIMIT = 20_000;
const FILES_AT_ONCE = 16;
/** The last changes of a file are followed even if they are settled, since undoing may open them again. */
const NEAR_CHANGES = 500;

/** What one command of the reviewer works with. */
export class Desk {
  readonly parts: ReviewParts;
  readonly lineages: Lineages;
  readonly texts: Texts;
  readonly planner: FilePlanner;

  constructor(parts: ReviewParts) {
    const { journal, content, known } = parts;
    this.parts = parts;
    this.lineages = new Lineages(journal.log, content, parts.followed);
    this.texts = new Texts(content);
    this.planner = new FilePlanner({
      content,
      known,
      lineages: this.lineages,
      texts: this.texts,
      foldersSince: (changes) => this.#beganAt(changes),
      oldestOf: (path) => this.#oldestOf(path),
    });
  }

  /** Refuses if one of the files has changed since the verdict was decided on. */
  unmoved(paths: ReadonlySet<WorkspacePath>, at: number | undefined): Outcome<null, Refusal> {
    const { log } = this.parts.journal;
    if (at === undefined || at === log.last) return ok(null);
    if (!Number.isSafeInteger(at) || at < 0 || at > log.last)
      return failed({ code: 'bad-input', why: `no such place in the log: ${at}` });
    const since = at as Seq | 0;
    const touched = new Set<WorkspacePath>();
    if (log.last - at <= PASS_LIMIT) {
      for (const operation of log.read(since, PASS_LIMIT)) {
        if (!('files' in operation) || !CHANGING.includes(operation.kind) || typeof operation.files === 'number')
          continue;
        for (const file of operation.files) {
          touched.add(file.path);
          if ('fromPath' in file && file.fromPath !== undefined) touched.add(file.fromPath);
        }
      }
    } else {
      for (const path of paths) if (log.find({ path, kinds: CHANGING, since, limit: 1 }).length > 0) touched.add(path);
    }
    const moved = [...paths].filter((path) => touched.has(path));
    return moved.length === 0 ? ok(null) : failed({ code: 'moved', paths: moved, seq: log.last });
  }

  #oldestOf(path: WorkspacePath): Seq | null {
    const { entries, byPath } = this.parts.journal.views.review;
    const ids = byPath.get(path) ?? [];
    const near = ids.length - NEAR_CHANGES;
    const oldest = ids.find((id, index) => index >= near || isOpen(entries.get(id)!));
    return oldest === undefined ? null : seqOfChange(oldest);
  }

  /** When the oldest of the calls began that made these changes; what is older than that was there before. */
  #beganAt(changes: readonly ChangeId[]): number {
    const { log } = this.parts.journal;
    for (const id of changes) {
      const operation = log.get(seqOfChange(id));
      if (operation === null || operation.kind !== 'changed') continue;
      const [session, call] = [sessionOfOperation(operation), callOfOperation(operation)];
      if (session === null || call === null) continue;
      const [began] = log.find({ kinds: ['call-began'], session, call, limit: 1 });
      return began?.at ?? operation.at;
    }
    return Number.POSITIVE_INFINITY;
  }
}

/** Files are planned side by side, so that the store is asked for many contents at once. In the order given. */
export async function severalAtOnce<A, B>(list: readonly A[], plan: (one: A) => Promise<B>): Promise<readonly B[]> {
  const done: B[] = [];
  for (let at = 0; at < list.length; at += FILES_AT_ONCE) {
    done.push(...(await Promise.all(list.slice(at, at + FILES_AT_ONCE).map(plan))));
  }
  return done;
}

/** The paths that the log will name for these writes. */
export function pathsWritten(writes: readonly FileWrite[]): readonly WorkspacePath[] {
  return [...new Set(writes.map(({ path }) => path))];
}
