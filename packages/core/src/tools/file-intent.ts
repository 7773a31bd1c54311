import type { LineRange } from '../ranges.js';
import type { Effect } from './effect.js';

export type FileIntent = {
  /** As the agent wrote it: relative to the call's own folder, or absolute. */
  readonly path: string;
  readonly access: 'read' | 'write';
  /** The lines that a read asks for; without them, the whole file. */
  readonly lines?: LineRange;
  /** For writes. Null where the input does not say what the bytes will be. */
  readonly effect?: Effect | null;
};

/** `background`: the tool was asked not to wait for it. */
export type Command = { readonly text: string; readonly cwd?: string; readonly background?: true };
