import { open, rm } from 'node:fs/promises';
import { LineCutter } from '../transcripts/line-cutter.js';
import { openTranscript, troubleOf } from '../transcripts/open-transcript.js';

export type CopiedLine = { readonly index: number; readonly text: string };

const PIECE_BYTES = 1024 * 1024;
/** A whole line has to be held to be copied. */
const LINE_BYTES_LIMIT = 256 * 1024 * 1024;

/** Every whole line of a transcript; throws what says why it cannot be read. */
export async function* linesOf(path: string): AsyncGenerator<CopiedLine> {
  const opened = await openTranscript(path);
  if ('trouble' in opened) throw new Error(`the transcript cannot be read: ${opened.trouble}`);
  const { file, size } = opened;
  const cutter = new LineCutter(0, LINE_BYTES_LIMIT);
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let index = 0;
  try {
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(piece, 0, Math.min(PIECE_BYTES, size - at), at);
      if (bytesRead === 0) return;
      at += bytesRead;
      for (const { bytes } of cutter.push(piece.subarray(0, bytesRead)))
        yield { index: index++, text: (bytes ?? Buffer.alloc(0)).toString('utf8') };
    }
  } finally {
    await file.close();
  }
}

/** Writes a file that was not there, for its owner alone; nothing of it stays where it cannot be finished. */
export async function writeLines(path: string, lines: AsyncIterable<string>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const line of lines) await file.write(`${line}\n`);
    await file.sync();
    await file.close();
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw new Error(`the fork cannot be written: ${troubleOf(error)}`, { cause: error });
  }
}
