import { readFile } from 'node:fs/promises';
import type { DocumentReader, RowReader } from '../../agents/transcript.js';
import type { Gain, Growth, Piece, PlacedItem, Trouble } from './growth.js';
import { openTranscript, troubleOf } from './open-transcript.js';
import { opencodeRows } from './opencode-rows.js';
import type { Place } from './place.js';

/** A document that is larger is not read. */
const DOCUMENT_BYTES_LIMIT = 64 * 1024 * 1024;
const PIECE_CHARS = 2 * 1024 * 1024;

/** A transcript that is one JSON document, which its agent writes anew with every message. */
export class DocumentGrowth implements Growth {
  readonly #path: string;
  readonly #reader: DocumentReader;
  #records: readonly unknown[] = [];
  /** The file as it was when it was last read. */
  #stamp = '';

  constructor(path: string, reader: DocumentReader) {
    this.#path = path;
    this.#reader = reader;
  }

  async read(...[since, , onItems]: Parameters<Growth['read']>): Promise<Gain | Trouble> {
    const opened = await openTranscript(this.#path);
    if ('trouble' in opened) return opened;
    const { file, size, ino } = opened;
    try {
      if (size > DOCUMENT_BYTES_LIMIT) return { trouble: 'it is too large' };
      const { mtimeMs } = await file.stat();
      const stamp = `${ino}/${size}/${mtimeMs}`;
      if (stamp !== this.#stamp) this.#records = this.#reader.records(JSON.parse(await readFile(file, 'utf8')));
      this.#stamp = stamp;
    } catch (error) {
      // It is just being written.
      return error instanceof SyntaxError ? { trouble: 'it is no JSON' } : { trouble: troubleOf(error) };
    } finally {
      await file.close();
    }
    const done = since === null ? 0 : since.place.offset;
    const anew = done > this.#records.length || (done > 0 && since?.place.print !== idOf(this.#records[done - 1]));
    const items = this.#records.flatMap((record, index) =>
      index < (anew ? 0 : done) ? [] : this.#reader.read(record, index).map((item): PlacedItem => ({ item })),
    );
    if (items.length > 0) await onItems(items);
    return { place: this.#place(ino), length: size, anew, leftOut: 0 };
  }

  #place(ino: number): Place {
    return { offset: this.#records.length, ino, print: idOf(this.#records.at(-1)) };
  }

  async *pieces(from: number): AsyncIterable<Piece> {
    yield* piecesOf(this.#records, from);
  }
}

/** A transcript that is rows of opencode's database. */
export class RowGrowth implements Growth {
  readonly #path: string;
  readonly #session: string;
  readonly #reader: RowReader;
  /** Rows that were read and not kept yet, and how many were before them. */
  #unkept: unknown[] = [];
  #before = 0;

  constructor(path: string, session: string, reader: RowReader) {
    this.#path = path;
    this.#session = session;
    this.#reader = reader;
  }

  async read(...[since, , onItems]: Parameters<Growth['read']>): Promise<Gain | Trouble> {
    let [offset, last] = [since?.place.offset ?? 0, since?.place.print ?? ''];
    if (this.#unkept.length === 0) this.#before = offset;
    try {
      for (;;) {
        const { rows, count, isMore } = opencodeRows(this.#path, this.#session, last);
        const items = rows.flatMap((row) => this.#reader.read(row).map((item): PlacedItem => ({ item })));
        if (items.length > 0) await onItems(items);
        this.#unkept.push(...rows);
        offset += rows.length;
        last = rows.at(-1)?.id ?? last;
        if (!isMore) return { place: { offset, ino: 0, print: last }, length: count, anew: false, leftOut: 0 };
      }
    } catch (error) {
      return { trouble: troubleOf(error) };
    }
  }

  async *pieces(): AsyncIterable<Piece> {
    const [rows, before] = [this.#unkept, this.#before];
    this.#unkept = [];
    for (const piece of piecesOf(rows, 0)) yield { ...piece, from: before + piece.from, to: before + piece.to };
  }
}

/** Records as lines of JSON, counted. */
function* piecesOf(records: readonly unknown[], from: number): Generator<Piece> {
  let lines: string[] = [];
  let chars = 0;
  let first = from;
  for (const [index, record] of records.entries()) {
    if (index < from) continue;
    const line = `${JSON.stringify(record)}\n`;
    lines.push(line);
    chars += line.length;
    if (chars < PIECE_CHARS && index < records.length - 1) continue;
    yield { from: first, to: index + 1, bytes: Buffer.from(lines.join('')) };
    [lines, chars, first] = [[], 0, index + 1];
  }
}

function idOf(record: unknown): string {
  return typeof record === 'object' && record !== null && 'id' in record ? String(record.id) : '';
}
