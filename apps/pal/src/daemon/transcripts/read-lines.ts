import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LineReader, LineState, TranscriptItem } from '../../agents/transcript.js';
import type { PlacedItem } from './growth.js';
import { LineCutter } from './line-cutter.js';
import type { OpenedFile } from './open-transcript.js';
import { isStillAt, type Place, placeAt } from './place.js';

/** A longer line is left out of the messages; its bytes are kept with the others. */
export const LINE_BYTES_LIMIT = 8 * 1024 * 1024;
const PIECE_BYTES = 256 * 1024;

export type LineQuestion = {
  readonly reader: LineReader;
  /** Where an earlier reading ended, and with which state; null for a first one. */
  readonly since: { readonly place: Place; readonly state: LineState } | null;
  /** Whether what the last lines say can be taken to be complete. */
  readonly until: 'turn-is-over' | 'more-may-come';
  readonly onItems: (items: readonly PlacedItem[]) => Promise<number>;
};

export type LineAnswer = {
  readonly place: Place;
  readonly state: LineState;
  /** The file is not the one that was read before, or not any more: everything in it was read. */
  readonly anew: boolean;
  /** Lines that were too long, or no JSON. */
  readonly leftOut: number;
};

/** Reads what a transcript of lines has gained. Half a line is left for the next time. */
export async function readLines(opened: OpenedFile, question: LineQuestion): Promise<LineAnswer> {
  const { file, size, ino } = opened;
  const { reader, since, until, onItems } = question;
  const goesOn = since !== null && (await isStillAt(file, since.place, ino, size));
  const from = goesOn ? since.place.offset : 0;
  // What was held stands after the place, and is read once more.
  let state = goesOn ? { ...since.state, held: [] } : reader.begin(null);
  let heldFrom: number | null = null;
  let leftOut = 0;
  const cutter = new LineCutter(from, LINE_BYTES_LIMIT);
  const anew = since !== null && !goesOn;
  const stopped = async (offset: number) => ({
    place: await placeAt(file, offset, ino),
    state: reader.begin(state.turn),
    anew,
  });
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  for (let at = from; at < size; ) {
    const { bytesRead } = await file.read(piece, 0, Math.min(PIECE_BYTES, size - at), at);
    if (bytesRead === 0) break;
    at += bytesRead;
    const items: PlacedItem[] = [];
    for (const line of cutter.push(piece.subarray(0, bytesRead))) {
      const value = line.bytes === null ? UNREADABLE : parsed(line.bytes);
      if (value === UNREADABLE) {
        leftOut += 1;
        continue;
      }
      const read = reader.read(state, value, String(line.start));
      // What was held until this line came stands before it.
      const [held, from] = [new Set(state.held.map(({ id }) => id)), heldFrom];
      const startOf = (item: TranscriptItem) =>
        from !== null && item.kind === 'message' && held.has(item.message.id) ? from : line.start;
      items.push(...read.items.map((item) => ({ item, start: startOf(item), end: line.end })));
      if (read.state.held.length === 0) heldFrom = null;
      else if (read.state.held[0]?.id !== state.held[0]?.id) heldFrom = line.start;
      state = read.state;
    }
    const taken = items.length === 0 ? 0 : await onItems(items);
    const [left] = items.slice(taken);
    if (left?.start !== undefined) return { ...(await stopped(left.start)), leftOut };
    await nextTurn();
  }
  if (until === 'turn-is-over' && state.held.length > 0) {
    await onItems(state.held.map((message) => ({ item: { kind: 'message', message }, end: cutter.unfinished })));
    state = { ...state, held: [] };
    heldFrom = null;
  }
  const offset = heldFrom ?? cutter.unfinished;
  return { place: await placeAt(file, offset, ino), state, anew, leftOut };
}

const UNREADABLE = Symbol('not JSON');

function parsed(bytes: Buffer): unknown {
  const text = bytes.toString('utf8').trim();
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return UNREADABLE;
  }
}
