import type { LineReader, LineState } from '../../agents/transcript.js';
import type { Gain, Growth, Piece, Trouble } from './growth.js';
import { type OpenedFile, openTranscript, troubleOf } from './open-transcript.js';
import type { Place } from './place.js';
import { readLines } from './read-lines.js';

/** What is kept at once. */
const PIECE_BYTES = 2 * 1024 * 1024;
/** Of a transcript that was long when we first met it, so much is kept, from its end. */
const EARLIER_BYTES_LIMIT = 64 * 1024 * 1024;

/** A transcript that is a file of lines. */
export class FileGrowth implements Growth {
  readonly #path: string;
  readonly #reader: LineReader;
  /** What the last reading ended with, and where. */
  #left: { readonly place: Place; readonly state: LineState } | null = null;

  constructor(path: string, reader: LineReader) {
    this.#path = path;
    this.#reader = reader;
  }

  read(...[since, until, onItems]: Parameters<Growth['read']>): Promise<Gain | Trouble> {
    return this.#opened(async (opened) => {
      const isLeft = this.#left?.place.offset === since?.place.offset;
      const state = since === null ? null : isLeft && this.#left ? this.#left.state : this.#reader.begin(since.turn);
      const question = { reader: this.#reader, until, onItems };
      const read = await readLines(opened, {
        ...question,
        since: since === null || state === null ? null : { place: since.place, state },
      });
      this.#left = { place: read.place, state: read.state };
      return { place: read.place, length: opened.size, anew: read.anew, leftOut: read.leftOut };
    });
  }

  async *pieces(from: number): AsyncIterable<Piece> {
    const opened = await openTranscript(this.#path);
    if ('trouble' in opened) return;
    const { file, size } = opened;
    try {
      for (let at = Math.max(from, size - EARLIER_BYTES_LIMIT); at < size; ) {
        const bytes = Buffer.alloc(Math.min(PIECE_BYTES, size - at));
        const { bytesRead } = await file.read(bytes, 0, bytes.length, at);
        if (bytesRead === 0) return;
        yield { from: at, to: at + bytesRead, bytes: bytes.subarray(0, bytesRead) };
        at += bytesRead;
      }
    } finally {
      await file.close();
    }
  }

  async #opened(work: (opened: OpenedFile) => Promise<Gain>): Promise<Gain | Trouble> {
    const opened = await openTranscript(this.#path);
    if ('trouble' in opened) return opened;
    try {
      return await work(opened);
    } catch (error) {
      return { trouble: troubleOf(error) };
    } finally {
      await opened.file.close();
    }
  }
}
