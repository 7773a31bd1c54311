import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { failed, type Outcome, ok } from '@palimpsest/core';
import type { FolderFile, Refusal } from '@palimpsest/engine';

/** What those programs write in a task folder; other files are somebody else's. */
const OF_A_TASK = /\.(json|md)$/;
/** No conversation is larger. */
const FILE_BYTES_LIMIT = 256 * 1024 * 1024;

/** The files of a folder itself, links and anything else that is no file left out. */
export function readTaskFolder(folder: string): Outcome<readonly FolderFile[], Refusal> {
  try {
    const names = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && OF_A_TASK.test(entry.name))
      .map(({ name }) => name);
    return ok(names.sort().map((name) => ({ name, bytes: readRegular(join(folder, name)) })));
  } catch (error) {
    return failed({ code: 'bad-input', why: error instanceof Error ? error.message : String(error) });
  }
}

function readRegular(file: string): Uint8Array {
  // A name may have become a link or a pipe since the folder was listed.
  const handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile()) throw new Error(`${file} is no file`);
    if (stat.size > FILE_BYTES_LIMIT) throw new Error(`${file} is too large`);
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}
