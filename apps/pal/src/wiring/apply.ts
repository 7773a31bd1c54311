import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type Entry, hashOf, type Ledger } from './ledger.js';
import type { Rewrite } from './plan.js';

export function readCurrent(path: string): Buffer | null {
  return existsSync(path) ? readFileSync(path) : null;
}

/** Writes what was planned, and gives the ledger that knows the way back. */
export function applyWire(rewrite: Rewrite, before: Buffer | null, ledger: Ledger): Ledger {
  const earlier = ledger[rewrite.path];
  const folders = makeFolders(dirname(rewrite.path));
  replace(rewrite.path, rewrite.after!, rewrite.secret === true);
  const entry: Entry = {
    before: before === null ? null : before.toString('base64'),
    after: hashOf(rewrite.after!),
    folders: [...(earlier?.folders ?? []), ...folders],
  };
  return { ...ledger, [rewrite.path]: entry };
}

export function applyUnwire(rewrite: Rewrite, ledger: Ledger): Ledger {
  const { [rewrite.path]: entry, ...rest } = ledger;
  if (rewrite.after === null) rmSync(rewrite.path, { force: true });
  else if (rewrite.before === null || !rewrite.before.equals(rewrite.after)) replace(rewrite.path, rewrite.after);
  for (const folder of [...(entry?.folders ?? [])].reverse()) {
    if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  }
  return rest;
}

/** In one step, so that an agent that starts meanwhile reads the old or the new. A link stays a link. */
function replace(path: string, bytes: Buffer, secret = false): void {
  const real = existsSync(path) ? realpathSync(path) : path;
  const mode = statSync(real, { throwIfNoEntry: false })?.mode;
  const draft = `${real}.pal-draft`;
  // What a killed `pal` left goes; a link that somebody put there is not followed.
  rmSync(draft, { force: true });
  writeFileSync(draft, bytes, { flag: 'wx', ...(mode === undefined && !secret ? {} : { mode: 0o600 }) });
  if (mode !== undefined) chmodSync(draft, mode & 0o7777);
  renameSync(draft, real);
}

function makeFolders(folder: string): readonly string[] {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at); at = dirname(at)) missing.unshift(at);
  mkdirSync(folder, { recursive: true });
  return missing;
}
