import {
  type ChangeId,
  type ContentId,
  type FileMode,
  type FileVersion,
  type PartKey,
  planSwitch,
  type Seq,
  type SwitchPlan,
  type SwitchRequest,
  sameVersion,
  type Weave,
  type WorkspacePath,
} from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import { type KnownTree, versionOf } from '../store/known-tree.js';
import type { FileWrite } from '../write/writer.js';
import type { Lineage, Lineages } from './lineage.js';
import type { Texts } from './texts.js';

/** What is to be switched in one file. `keys` picks among what the file's history holds. */
export type FileRequest = Omit<SwitchRequest, 'keys'> & {
  readonly path: WorkspacePath;
  readonly since: Seq;
  readonly keys: (weave: Weave) => readonly PartKey[] | null;
};

export type FilePlan =
  | {
      readonly kind: 'clean';
      readonly plan: SwitchPlan;
      readonly weave: Weave;
      readonly change: FileWrites;
      readonly lineage: Lineage;
    }
  /** Later text stands in the way. */
  | { readonly kind: 'blocked'; readonly plan: SwitchPlan; readonly weave: Weave; readonly why: string }
  /** The history does not tell; whoever asked must find another way. */
  | { readonly kind: 'untold'; readonly lineage: Lineage; readonly present: FileVersion | null }
  /** A running call has written the file, and what it wrote is not on record yet. */
  | { readonly kind: 'unrecorded' }
  | { readonly kind: 'missing'; readonly content: ContentId };

export type CleanPlan = FilePlan & { readonly kind: 'clean' };

export type FileWrites = {
  readonly writes: readonly FileWrite[];
  /** Bytes that must be stored first. */
  readonly bytes: Uint8Array | null;
};

export type FilePlannerParts = {
  readonly content: ContentStore;
  readonly known: KnownTree;
  readonly lineages: Lineages;
  readonly texts: Texts;
  /** Whether a running call has written the file, and the log does not say so yet. */
  readonly isAhead: (path: WorkspacePath) => boolean;
  /** Since when folders that become empty may be the work of the change that made the file. */
  readonly foldersSince: (changes: readonly ChangeId[]) => number;
  /** The oldest change of a file whose hunks should be found again when their lines come back. */
  readonly oldestOf: (path: WorkspacePath) => Seq | null;
};

/** Plans what becomes of one file when parts of its history are switched. Writes nothing. */
export class FilePlanner {
  readonly #parts: FilePlannerParts;

  constructor(parts: FilePlannerParts) {
    this.#parts = parts;
  }

  async plan(request: FileRequest): Promise<FilePlan> {
    const { path, since } = request;
    if (this.#parts.isAhead(path)) return { kind: 'unrecorded' };
    const from = Math.min(since, this.#parts.oldestOf(path) ?? since) as Seq;
    const lineage = await this.#parts.lineages.of(path, from);
    // What is there now was too large to keep, or was forgotten: it would be lost.
    const state = this.#parts.known.get(path);
    if (state?.kept === false) return { kind: 'missing', content: state.content };
    const present = this.present(path);
    const last = lineage.steps.findLast(({ file }) => file !== null)?.file;
    if (last !== undefined && last !== null && !sameVersion(last.after, present)) return { kind: 'unrecorded' };
    const { weave } = lineage;
    const keys = weave === null ? null : request.keys(weave);
    if (weave === null || keys === null) return { kind: 'untold', lineage, present };
    const plan = planSwitch(weave, { ...request, keys });
    if (plan.obstacles.length > 0) return { kind: 'blocked', plan, weave, why: whyBlocked(plan, weave) };
    return this.#carriedOut(path, present, { plan, weave, lineage });
  }

  async #carriedOut(
    path: WorkspacePath,
    present: FileVersion | null,
    planned: { readonly plan: SwitchPlan; readonly weave: Weave; readonly lineage: Lineage },
  ): Promise<FilePlan> {
    const { plan, weave, lineage } = planned;
    const { result } = plan;
    const foldersSinceMs = this.#parts.foldersSince(lineage.steps.map((step) => step.id));
    if (!result.exists) {
      const comesBack = result.pieces.some(({ from, goneFrom }) => from !== 'present' && goneFrom === undefined);
      if (comesBack) return { kind: 'blocked', plan, weave, why: 'the file is gone' };
      const writes = present === null ? [] : [{ path, expected: present, next: null, foldersSinceMs }];
      return { kind: 'clean', plan, weave, lineage, change: { writes, bytes: null } };
    }
    const bytes = await this.#parts.texts.assemble(result.pieces, present?.content ?? null);
    if (!(bytes instanceof Uint8Array)) {
      if (bytes.code === 'missing') return { kind: 'missing', content: bytes.content };
      if (bytes.code === 'differs') return { kind: 'untold', lineage, present };
      return { kind: 'blocked', plan, weave, why: 'a last line without an end would run into the next one' };
    }
    const next = this.version(bytes, result.mode);
    const target = { path: result.path, next, foldersSinceMs };
    return { kind: 'clean', plan, weave, lineage, change: { writes: writesFor(path, present, target), bytes } };
  }

  present(path: WorkspacePath): FileVersion | null {
    return versionOf(this.#parts.known.get(path));
  }

  version(bytes: Uint8Array, mode: FileMode): FileVersion {
    return { content: this.#parts.content.idOf(bytes), mode, size: bytes.length };
  }
}

function writesFor(
  path: WorkspacePath,
  present: FileVersion | null,
  target: { readonly path: WorkspacePath; readonly next: FileVersion; readonly foldersSinceMs: number },
): readonly FileWrite[] {
  const { next, foldersSinceMs } = target;
  if (target.path === path) return sameVersion(present, next) ? [] : [{ path, expected: present, next }];
  if (present === null) return [{ path: target.path, expected: null, next, movedFrom: path }];
  return [
    { path: target.path, expected: null, next, movedFrom: path },
    { path, expected: present, next: null, foldersSinceMs },
  ];
}

function whyBlocked(plan: SwitchPlan, weave: Weave): string {
  const names = [...new Set(plan.obstacles.map(({ part }) => weave.parts[part]?.change ?? 'earlier text'))];
  return `later edits rest on it: ${names.slice(0, NAMED_OBSTACLES).join(', ')}${names.length > NAMED_OBSTACLES ? ', …' : ''}`;
}

const NAMED_OBSTACLES = 5;
