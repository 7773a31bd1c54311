import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errorCode } from '../../surroundings/error-code.js';

export type OpenedFile = { readonly file: FileHandle; readonly size: number; readonly ino: number };

/** A file that an agent named, for reading only. Anything else of that name, which could keep us waiting, is refused. */
export async function openTranscript(path: string): Promise<OpenedFile | { readonly trouble: string }> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    const stat = await file.stat();
    if (stat.isFile()) return { file, size: stat.size, ino: stat.ino };
    await file.close();
    return { trouble: 'it is not a file' };
  } catch (error) {
    return { trouble: troubleOf(error) };
  }
}

export function troubleOf(error: unknown): string {
  const code = errorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'it is not there';
  if (code === 'EACCES' || code === 'EPERM') return 'it may not be read';
  return code ?? (error instanceof Error ? error.message : String(error));
}
