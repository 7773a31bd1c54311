import type { FileVersion } from './file.js';
import type { WorkspacePath } from './path.js';

/** A file where it is. */
export type Located = { readonly path: WorkspacePath; readonly version: FileVersion };

/** `here` is the workspace's own folder, `there` a worktree. */
export type Side = 'here' | 'there';

/**
 * A file that the two sides do not hold alike, or that one of them holds elsewhere. `base` is what both last agreed on: of
 * what is there, what was here too. Null where there was no such file.
 */
export type ApartFile = {
  readonly base: Located | null;
  readonly here: Located | null;
  readonly there: Located | null;
};
