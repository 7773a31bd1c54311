import type { ApartFile, Located } from '../apart-file.js';
import type { FileMode, FileVersion } from '../file.js';
import { mergeLines } from '../lines/merge.js';
import { isBinary } from '../lines/text.js';
import type { WorkspacePath } from '../path.js';
import { isSame } from './apart.js';

/**
 * What two sides of a file come to, given what both last agreed on. `as` is one of them, or nothing; `texts` asks for a merge
 * of three texts at a path and mode that are settled.
 *
 * Laws: a side that did nothing gives way; exchanging the sides changes neither the verdict nor what is written; what
 * comes out, merged again with either side, comes out again.
 */
export type FlowPlan =
  | { readonly kind: 'as'; readonly file: Located | null }
  | {
      readonly kind: 'texts';
      readonly path: WorkspacePath;
      readonly mode: FileMode;
      readonly base: FileVersion;
      readonly ours: FileVersion;
      readonly theirs: FileVersion;
    }
  | { readonly kind: 'conflict'; readonly reason: string };

export function planFlow({ base, here, there }: ApartFile): FlowPlan {
  if (isSame(base, here) || isSame(here, there)) return { kind: 'as', file: there };
  if (isSame(base, there)) return { kind: 'as', file: here };
  if (here === null || there === null) return conflict('one side removed the file and the other changed it');
  if (base === null) return conflict('both sides made a file of this name');
  const path = either(base.path, here.path, there.path);
  if (path === null) return conflict('both sides moved the file, to different names');
  const mode = either(base.version.mode, here.version.mode, there.version.mode);
  if (mode === null) return conflict('both sides changed what kind of file it is');
  const sides = { base: base.version, ours: here.version, theirs: there.version };
  const settled = settledContent(base, here, there);
  if (settled !== null) return { kind: 'as', file: { path, version: { ...settled, mode } } };
  if ([base, here, there].some(({ version }) => version.mode === '120000'))
    return conflict('both sides changed where the link leads');
  return { kind: 'texts', path, mode, ...sides };
}

/** Null where the texts do not merge, or are none. */
export function mergeTexts(base: Uint8Array, ours: Uint8Array, theirs: Uint8Array): Uint8Array | null {
  if ([base, ours, theirs].some(isBinary)) return null;
  const merged = mergeLines(base, ours, theirs);
  return merged.kind === 'clean' ? merged.bytes : null;
}

export const TEXTS_DIFFER = 'both sides changed the same lines';
export const BYTES_DIFFER = 'both sides changed a file that is not text';

function settledContent(base: Located, here: Located, there: Located): FileVersion | null {
  const same = (a: Located, b: Located) => a.version.content === b.version.content;
  if (same(base, here) || same(here, there)) return there.version;
  return same(base, there) ? here.version : null;
}

/** The value of the side that changed it; null where both did, each in its own way. */
function either<T>(base: T, here: T, there: T): T | null {
  if (base === here || here === there) return there;
  return base === there ? here : null;
}

function conflict(reason: string): FlowPlan {
  return { kind: 'conflict', reason };
}
