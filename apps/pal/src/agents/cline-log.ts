import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Surroundings } from '../surroundings/surroundings.js';
import type { Dropped } from './agent.js';
import { folderIn } from './folder.js';

/** The end of its log is enough to know of a day, and the whole of it has no bound. */
const TAIL_BYTES = 4 * 1024 * 1024;

/**
 * Cline goes on without a plugin that takes 4 s to load, which on a busy machine is what starting a process for it takes,
 * or that fails. Only its log says so.
 */
export function clineDropped(surroundings: Surroundings, since: number): Dropped | null {
  const file = join(folderIn({ otherwise: ['.cline'] })(surroundings), 'data', 'logs', 'cline.log');
  const last = tailOf(file).split('\n').findLast(isDrop);
  const { time, msg } = last === undefined ? {} : (JSON.parse(last) as { time?: unknown; msg?: unknown });
  if (typeof time !== 'string' || typeof msg !== 'string' || !(Date.parse(time) >= since)) return null;
  return { at: time, why: msg, remedy: 'CLINE_PLUGIN_IMPORT_TIMEOUT_MS=20000 in its environment gives plugins longer' };
}

function isDrop(line: string): boolean {
  return /^\{.*"msg":"(?:plugin loading failed; continuing without plugins|Plugin initialization failed[^"]*palimpsest\.js).*\}$/.test(
    line,
  );
}

function tailOf(file: string): string {
  try {
    const handle = openSync(file, 'r');
    try {
      const { size } = fstatSync(handle);
      const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
      return bytes.toString('utf8', 0, readSync(handle, bytes, 0, bytes.length, size - bytes.length));
    } finally {
      closeSync(handle);
    }
  } catch {
    return ''; // It has never written one.
  }
}
