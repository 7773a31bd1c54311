import type { FinalNewline, PatchHunk } from './hunks.js';

/** What a patch does to one file, in whichever format it was written. */
export type PatchSection =
  | { readonly kind: 'add'; readonly path: string; readonly text: string }
  | { readonly kind: 'delete'; readonly path: string }
  | {
      readonly kind: 'update';
      readonly path: string;
      readonly moveTo?: string;
      readonly copy?: true;
      readonly ending: FinalNewline;
      /** Null for content that the patch names but does not hold, as git writes for binary files. */
      readonly hunks: readonly PatchHunk[] | null;
    };
