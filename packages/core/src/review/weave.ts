import { type FileChange, type FileMode, type FileVersion, sameVersion } from '../file.js';
import { type ChangeId, type HunkId, hunkId } from '../ids.js';
import { addTo } from '../lists.js';
import type { Switched } from '../operation.js';
import type { WorkspacePath } from '../path.js';
import type { LineSpan } from '../span.js';
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
  /** Earlier parts that do not count while this one does: the file is again what it was without them. */
  readonly cancels: ReadonlySet<number>;
};

type PartAttributes = {
  readonly exists?: boolean;
  readonly mode?: FileMode;
  /** Where a rename put the file, or where it came to be: what was decided about earlier names is over then. */
  readonly path?: WorkspacePath;
};

/** Only a rename takes the file from one name to another. */
export function isRename({ exists, path }: PartAttributes): boolean {
  return path !== undefined && exists === undefined;
}

/** Where a file is, if it is. */
type FileAttributes = { readonly exists: boolean; readonly mode: FileMode; readonly path: WorkspacePath };

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
  /** As decided, and what comes of it: a part counts while it is on and no part that counts cancels it. */
  #on: boolean[] = [];
  #counts: boolean[] = this.#on;
  #cancelled = new Map<number, number[]>();
  /** Every state that the file was in, so that it is known when it comes back. */
  #seen = new Map<string, Seen>();
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

  /** On, and not cancelled. */
  doesCount(part: number): boolean {
    return isOn(this.#counts, part);
  }

  /** Which parts would count if these were switched. */
  countsWith(switched: ReadonlySet<number>): (part: number) => boolean {
    if (this.#cancelled.size === 0) return (part) => this.isOn(part) !== switched.has(part);
    const counts = this.#counting((part) => this.isOn(part) !== switched.has(part));
    return (part) => isOn(counts, part);
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
    if (!this.#returns(change, file)) {
      if (isExchange(file)) this.#exchange(change, file);
      else this.#editLines(change, file);
    }
    this.#version = file.after;
    this.#remember(file);
  }

  /**
   * Content that was there before brings its origin back: it is not written anew, but what happened since does not count.
   * What only takes lines away writes nothing, and is an edit like any other.
   */
  #returns(change: ChangeId, file: FileChange): boolean {
    const seen = file.after === null || !bringsLines(file) ? undefined : this.#seen.get(stateOf(file, file.after));
    if (seen === undefined) return false;
    const off = new Set(seen.off);
    const counted = (part: number) => part < seen.parts && !off.has(part);
    const cancels = new Set([...this.#parts.keys()].filter((part) => this.doesCount(part) && !counted(part)));
    const counts = this.#counting((part) => this.isOn(part) && !cancels.has(part));
    if (this.#parts.some((_, part) => isOn(counts, part) !== counted(part))) return false;
    this.#add({ key: change, change, whole: false, removed: 0, inserted: 0, sets: {}, touches: NOTHING, cancels });
    return true;
  }

  #remember(file: FileChange): void {
    if (file.after === null) return;
    const off: number[] = [];
    for (const part of this.#parts.keys()) if (!this.doesCount(part)) off.push(part);
    if (off.length > REMEMBERED_OFF) return;
    const key = stateOf(file, file.after);
    this.#seen.delete(key);
    this.#seen.set(key, { parts: this.#parts.length, off });
    for (const oldest of this.#seen.keys()) {
      if (this.#seen.size <= REMEMBERED_STATES) return;
      this.#seen.delete(oldest);
    }
  }

  #counting(on: (part: number) => boolean): boolean[] {
    const counts = this.#parts.map(() => false);
    for (let part = this.#parts.length - 1; part >= 0; part--)
      counts[part] = on(part) && !(this.#cancelled.get(part) ?? []).some((other) => counts[other]);
    return counts;
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
    this.#counts = this.#cancelled.size === 0 ? this.#on : this.#counting((part) => this.isOn(part));
    if (file === null) return;
    this.#version = file.after;
    this.#remember(file);
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
    this.#counts = this.#on;
    this.#cancelled = new Map();
    this.#seen = new Map();
    this.#byKey = new Map();
    this.#byChange = new Map();
    this.#initial = {
      exists: before !== null,
      mode: (before ?? after)?.mode ?? '100644',
      path: file.fromPath ?? file.path,
    };
    if (before !== null) this.#seen.set(stateOf({ path: file.fromPath ?? file.path }, before), { parts: 0, off: [] });
  }

  #editLines(change: ChangeId, file: FileChange): void {
    const sets = attributesSet(file);
    const whole = sets.exists !== undefined;
    const first = this.#parts.length;
    const touched = weaveSpans(this.#segments, file.spans, {
      first,
      source: file.after?.content ?? null,
      on: this.#counts,
      insertsLines: (part) => (this.#parts[part]?.inserted ?? 1) > 0,
      removesLines: (part) => (this.#parts[part]?.removed ?? 1) > 0,
    });
    file.spans.forEach((span, index) => {
      const touches = touched[index]!;
      this.#add({ key: hunkId(change, index), change, whole, ...linesOf(span), sets: {}, touches, cancels: NOTHING });
    });
    if (Object.keys(sets).length > 0)
      this.#add({ key: change, change, whole, removed: 0, inserted: 0, sets, touches: NOTHING, cancels: NOTHING });
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
      cancels: NOTHING,
    });
  }

  isAlive(segment: Segment): boolean {
    return isInSight(this.#counts, segment);
  }

  #add(part: WeavePart): void {
    const index = this.#parts.push(part) - 1;
    this.#on.push(true);
    if (part.cancels.size > 0) {
      for (const other of part.cancels) addTo(this.#cancelled, other, index);
      this.#counts = this.#counting((each) => this.isOn(each));
    } else if (this.#counts !== this.#on) this.#counts.push(true);
    this.#byKey.set(part.key, index);
    addTo(this.#byChange, part.change, index);
  }
}

/** Stands for the writer of what was there before the first step; always on. */
const BASE = -1;

const NOTHING: ReadonlySet<number> = new Set();

/** What counted when the file was in some state: of the first `parts`, all but `off`. */
type Seen = { readonly parts: number; readonly off: readonly number[] };

/** More than this is not looked for: then text that comes back is new text. */
const REMEMBERED_STATES = 1_000;
const REMEMBERED_OFF = 1_000;

function stateOf({ path }: Pick<FileChange, 'path'>, { content, mode }: FileVersion): string {
  return `${mode} ${content} ${path}`;
}

function bringsLines(file: FileChange): boolean {
  return (
    file.before?.content !== file.after?.content &&
    (isExchange(file) || file.spans.some(({ newLines }) => newLines > 0))
  );
}

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
  if (after === null) return { exists: false };
  if (before === null) return { exists: true, mode: after.mode, path };
  return {
    ...(before.mode === after.mode ? {} : { mode: after.mode }),
    ...(fromPath === undefined ? {} : { path }),
  };
}

function linesOf(span: LineSpan): { readonly removed: number; readonly inserted: number } {
  return { removed: span.oldLines, inserted: span.newLines };
}
