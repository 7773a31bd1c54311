import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, inflateSync } from 'node:zlib';

/**
 * Everywhere below a folder where one of the fragments can be found, by reading the disk alone: in plain bytes (so in
 * SQLite's pages, live or freed, and in its write-ahead file), in anything that zlib can inflate from any offset (loose
 * objects, packs, deltas), in every object that git finds, each plain, as JSON has it, in base64 or in hex.
 */
export function tracesOf(folder: string, fragments: readonly string[]): readonly string[] {
  const needles = fragments.flatMap(formsOf);
  const found: string[] = [];
  const look = (where: string, bytes: Buffer) => {
    for (const { form, text } of needles) if (bytes.includes(text)) found.push(`${where}: ${form}`);
  };
  for (const file of filesBelow(folder)) {
    const bytes = readFileSync(file);
    look(file, bytes);
    for (const inflated of streamsIn(bytes)) look(`${file} (inflated)`, inflated);
  }
  for (const repository of repositoriesBelow(folder)) {
    const all = spawnSync('git', ['--git-dir', repository, 'cat-file', '--batch-all-objects', '--batch'], {
      maxBuffer: 1024 * 1024 * 1024,
    });
    if (all.status !== 0) throw new Error(`git cannot read ${repository}: ${all.stderr.toString()}`);
    look(`${repository} (by git)`, all.stdout);
  }
  return [...new Set(found)];
}

/** Base64 says the same differently depending on where in three bytes a text begins. */
function formsOf(fragment: string): readonly { readonly form: string; readonly text: string }[] {
  const shifted = ['', 'x', 'xx'].map((before) => {
    const encoded = Buffer.from(before + fragment).toString('base64');
    return encoded.slice(before === '' ? 0 : before.length + 1, -4);
  });
  return [
    { form: `plain ${fragment}`, text: fragment },
    { form: `JSON ${fragment}`, text: JSON.stringify(fragment).slice(1, -1) },
    { form: `hex ${fragment}`, text: Buffer.from(fragment).toString('hex') },
    ...shifted.map((text) => ({ form: `base64 ${fragment}`, text })),
  ];
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function repositoriesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith('content.git'))
    .map((entry) => join(entry.parentPath, entry.name));
}

const ZLIB_STREAM = 0x78;
const ZLIB_LEVELS = new Set([0x01, 0x5e, 0x9c, 0xda]);

function* streamsIn(bytes: Buffer): Generator<Buffer> {
  for (let at = bytes.indexOf(ZLIB_STREAM); at >= 0; at = bytes.indexOf(ZLIB_STREAM, at + 1)) {
    if (!ZLIB_LEVELS.has(bytes[at + 1] ?? 0)) continue;
    try {
      // What follows the stream, or its missing end, does not matter.
      yield inflateSync(bytes.subarray(at), { finishFlush: constants.Z_SYNC_FLUSH });
    } catch {
      // It only looked like the beginning of one.
    }
  }
}
