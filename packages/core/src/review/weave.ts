import { type FileChange, type FileMode, type FileVersion, type LineSpan, sameVersion } from '../file.js';
import { type ChangeId, type HunkId, hunkId } from '../ids.js';
import type { Switched } from '../operation.js';
import type { WorkspacePath } from '../path.js';
import { isInSight, isOn, type Segment, weaveSpans } from './segments.js';

/** Names one thing that a change did: a hunk by its id; by the change's id, whatever it did beside its hunks. */
export type PartKey = HunkId | ChangeId;

/** One thing that happened to a file. It can be switched off and on again without touching what else happened. */
export type WeavePart = {
  readonly key: PartKey;
  readonly change: ChangeId;
  /** The file as a whole came, went or was exchanged: all that happened to it later rests on this. */
  readonly whole: boolean;
  /** How many lines it removed and wrote; `Infinity` where it stood for all there was. */
  readonly removed: number;
  readonly inserted: number;
  readonly sets: PartAttributes;
  /** Parts that were out of sight exactly where this one wrote, so that nothing tells their order. */
  readonly touches: ReadonlySet<number>;
};

export type PartAttributes = {
  readonly exists?: boolean;
  readonly mode?: FileMode;
  readonly path?: WorkspacePath;
};

/** Where a file is, if it is. */
export type FileAttributes = { readonly exists: boolean; readonly mode: FileMode; readonly path: WorkspacePath };

/**
 * All lines that a file ever had since some moment, each with the part that wrote it and the parts that removed it. The
 * text at any time is the lines whose writer is on and whose removers are off. So any part can be taken out of the
 * text, whatever came after it, and nobody else's lines move.
 *
 * Only line numbers go in: the recorded spans. Where the recorded versions do not follow one another it starts over.
 */
export class Weave {
  #segments: Segment[] = [];
  #parts: WeavePart[] = [];
  #on: boolean[] = [];
  #byKey = new Map<PartKey, number>();
  #byChange = new Map<ChangeId, number[]>();
  #initial: FileAttributes | null = null;
  #version: FileVersion | null = null;

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  get parts(): readonly WeavePart[] {
    return this.#parts;
  }

  /** What the file is after all steps so far. */
  get version(): FileVersion | null {
    return this.#version;
  }

  get initial(): FileAttributes | null {
    return this.#initial;
  }

  isOn(part: number): boolean {
    return isOn(this.#on, part);
  }

  indexOf(key: PartKey): number | undefined {
    return this.#byKey.get(key);
  }

  /** All parts of a change, the hunks first. */
  partsOf(change: ChangeId): readonly number[] {
    return this.#byChange.get(change) ?? [];
  }

  /** Somebody changed the file. `file` must be measured: without spans it counts as exchanged as a whole. */
  edit(change: ChangeId, file: FileChange): void {
    this.#follow(file);
    if (isExchange(file)) this.#exchange(change, file);
    else this.#editLines(change, file);
    this.#version = file.after;
  }

  /** A decision took parts out of the file, or put them back. `file` is null where that made no difference. */
  switch(change: ChangeId, switched: Switched, file: FileChange | null): void {
    if (file !== null) this.#follow(file);
    const parts = this.partsNamed(switched).filter((part) => this.isOn(part) !== (switched.to === 'on'));
    // A decision about what happened before this weave begins looks like any other edit from here.
    if (parts.length === 0) {
      if (file !== null) this.edit(change, file);
      return;
    }
    for (const part of parts) this.#on[part] = switched.to === 'on';
    if (file !== null) this.#version = file.after;
  }

  partsNamed(switched: Pick<Switched, 'whole' | 'parts'>): readonly number[] {
    const found = new Set<number>();
    for (const change of switched.whole) for (const part of this.partsOf(change)) found.add(part);
    for (const key of switched.parts) {
      const part = this.#byKey.get(key);
      if (part !== undefined) found.add(part);
    }
    return [...found];
  }

  #follow(file: FileChange): void {
    if (this.#initial !== null && sameVersion(this.#version, file.before)) return;
    const { before, after } = file;
    this.#segments = before === null ? [] : [wholeOf(before, BASE)];
    this.#parts = [];
    this.#on = [];
    this.#byKey = new Map();
    this.#byChange = new Map();
    this.#initial = {
      exists: before !== null,
      mode: (before ?? after)?.mode ?? '100644',
      path: file.fromPath ?? file.path,
    };
  }

  #editLines(change: ChangeId, file: FileChange): void {
    const sets = attributesSet(file);
    const whole = sets.exists !== undefined;
    const first = this.#parts.length;
    const touched = weaveSpans(this.#segments, file.spans, {
      first,
      source: file.after?.content ?? null,
      on: this.#on,
      insertsLines: (part) => (this.#parts[part]?.inserted ?? 1) > 0,
      removesLines: (part) => (this.#parts[part]?.removed ?? 1) > 0,
    });
    file.spans.forEach((span, index) => {
      const touches = touched[index]!;
      this.#add({ key: hunkId(change, index), change, whole, ...linesOf(span), sets: {}, touches });
    });
    if (Object.keys(sets).length > 0)
      this.#add({ key: change, change, whole, removed: 0, inserted: 0, sets, touches: NOTHING });
  }

  #exchange(change: ChangeId, file: FileChange): void {
    const part = this.#parts.length;
    const segments = this.#segments.map((segment) =>
      this.isAlive(segment) ? { ...segment, removedBy: [...segment.removedBy, part] } : segment,
    );
    if (file.after !== null) segments.push(wholeOf(file.after, part));
    this.#segments = segments;
    this.#add({
      key: change,
      change,
      whole: true,
      removed: file.before === null ? 0 : Number.POSITIVE_INFINITY,
      inserted: file.after === null ? 0 : Number.POSITIVE_INFINITY,
      sets: attributesSet(file),
      touches: NOTHING,
    });
  }

  isAlive(segment: Segment): boolean {
    return isInSight(this.#on, segment);
  }

  #add(part: WeavePart): void {
    const index = this.#parts.push(part) - 1;
    this.#on.push(true);
    this.#byKey.set(part.key, index);
    const ofChange = this.#byChange.get(part.change);
    if (ofChange === undefined) this.#byChange.set(part.change, [index]);
    else ofChange.push(index);
  }
}

/** Stands for the writer of what was there before the first step; always on. */
export const BASE = -1;

const NOTHING: ReadonlySet<number> = new Set();

function wholeOf(version: FileVersion, by: number): Segment {
  return { lines: Number.POSITIVE_INFINITY, content: version.content, start: 0, by, removedBy: [] };
}

/** Bytes, links that became files, and whatever was not measured have no lines to tell apart. */
function isExchange(file: FileChange): boolean {
  const { before, after, spans } = file;
  if (before?.content === after?.content) return false;
  const becameAnother = before !== null && after !== null && isLink(before) !== isLink(after);
  return file.binary || becameAnother || (spans.length === 0 && (before?.size ?? 0) + (after?.size ?? 0) > 0);
}

const isLink = (version: FileVersion) => version.mode === '120000';

function attributesSet(file: FileChange): PartAttributes {
  const { before, after, path, fromPath } = file;
  if (before === null || after === null)
    return { exists: after !== null, ...(after === null ? {} : { mode: after.mode }) };
  return {
    ...(before.mode === after.mode ? {} : { mode: after.mode }),
    ...(fromPath === undefined ? {} : { path }),
  };
}

function linesOf(span: LineSpan): { readonly removed: number; readonly inserted: number } {
  return { removed: span.oldLines, inserted: span.newLines };
}
