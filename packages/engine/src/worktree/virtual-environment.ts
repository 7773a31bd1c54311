import { promises as fs } from 'node:fs';
import { join } from 'node:path';
import { listNames } from '../files/durable.js';
import type { Stocklist } from './stocklist.js';

/** What makes a folder a virtual environment of Python's. */
const SIGN = 'pyvenv.cfg';
/** Its programs, and what puts folders on Python's path: each names the tree that it was made in. */
const NAMING = /^(bin|Scripts)\/[^/]+$|(^|\/)site-packages\/[^/]+\.(pth|egg-link)$|(^|\/)__editable__[^/]*\.py$/;
const REWRITTEN_LIMIT_BYTES = 1024 * 1024;

/**
 * Python's virtual environments name their own place in full: `bin/pip` of a copy would install into the one that it was
 * copied from. In the files that do so the old tree is replaced by the new one.
 */
export async function moveEnvironment(folder: string, stock: Stocklist, from: string, to: string): Promise<void> {
  if (!(await listNames(folder)).includes(SIGN)) return;
  for (const { path } of stock.files) {
    if (path !== SIGN && !NAMING.test(path)) continue;
    const place = join(folder, path);
    const stat = await fs.lstat(place).catch(() => null);
    if (stat?.isFile() !== true || stat.size > REWRITTEN_LIMIT_BYTES) continue;
    const bytes = await fs.readFile(place);
    const moved = replaced(bytes, from, to);
    if (moved !== null) await fs.writeFile(place, moved);
  }
}

/** Null for what is no text, or does not name the old place. */
function replaced(bytes: Buffer, from: string, to: string): Buffer | null {
  if (bytes.includes(0) || !bytes.includes(from)) return null;
  const text = bytes.toString('latin1');
  const old = Buffer.from(from).toString('latin1');
  const parts = text.split(old);
  const fresh = Buffer.from(to).toString('latin1');
  // Only where the name ends there: `/home/you/app` is not meant by `/home/you/app-two`.
  const joined = parts.reduce((all, part) => all + (/^[\w.-]/.test(part) ? old : fresh) + part);
  return joined === text ? null : Buffer.from(joined, 'latin1');
}
