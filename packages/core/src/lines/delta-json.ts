import { failed, type Outcome, ok } from '../outcome.js';
import type { Delta, DeltaEdit } from './delta.js';
import { lineCount } from './text.js';

/**
 * A delta as plain JSON. Bytes become strings of one character per byte (U+0000 to U+00FF): readable where the text is
 * ASCII, and exact for any bytes, which a decoded text would not be.
 */
export interface DeltaJson {
  readonly baseLines: number;
  readonly edits: readonly DeltaEditJson[];
}

export interface DeltaEditJson {
  readonly start: number;
  readonly end: number;
  readonly removed: string;
  readonly inserted: string;
}

export interface MalformedDelta {
  readonly code: 'malformed-delta';
  readonly reason: string;
}

export function deltaToJson(delta: Delta): DeltaJson {
  const edits = delta.edits.map(({ start, end, removed, inserted }) => ({
    start,
    end,
    removed: toByteString(removed),
    inserted: toByteString(inserted),
  }));
  return { baseLines: delta.baseLines, edits };
}

/** Checks everything that applying relies on, since the value may come from a file or from elsewhere. */
export function deltaFromJson(value: unknown): Outcome<Delta, MalformedDelta> {
  if (!isRecord(value) || !isCount(value.baseLines) || !Array.isArray(value.edits)) {
    return malformed('expected baseLines and edits');
  }
  const edits: DeltaEdit[] = [];
  let free = 0;
  for (const [index, entry] of value.edits.entries()) {
    const edit = editFromJson(entry);
    if (edit === null) return malformed(`edit ${index} is not {start, end, removed, inserted}`);
    if (edit.start < free || edit.end > value.baseLines) return malformed(`edit ${index} is out of order or range`);
    if (lineCount(edit.removed) !== edit.end - edit.start) return malformed(`edit ${index} does not remove its range`);
    if (edit.removed.length + edit.inserted.length === 0) return malformed(`edit ${index} does nothing`);
    edits.push(edit);
    free = edit.end + 1;
  }
  return ok({ baseLines: value.baseLines, edits });
}

/** `String.fromCharCode` takes its bytes as arguments, of which an engine allows only so many. */
const BYTES_PER_CALL = 4096;

function toByteString(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += BYTES_PER_CALL) {
    text += String.fromCharCode(...bytes.subarray(i, i + BYTES_PER_CALL));
  }
  return text;
}

function fromByteString(text: unknown): Uint8Array | null {
  if (typeof text !== 'string') return null;
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0xff) return null;
    bytes[i] = code;
  }
  return bytes;
}

function editFromJson(entry: unknown): DeltaEdit | null {
  if (!isRecord(entry) || !isCount(entry.start) || !isCount(entry.end) || entry.end < entry.start) return null;
  const removed = fromByteString(entry.removed);
  const inserted = fromByteString(entry.inserted);
  return removed === null || inserted === null ? null : { start: entry.start, end: entry.end, removed, inserted };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function malformed(reason: string): { readonly ok: false; readonly error: MalformedDelta } {
  return failed({ code: 'malformed-delta', reason });
}
