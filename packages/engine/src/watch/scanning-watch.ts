import type { Watch } from './watch.js';

/** For workspaces that cannot or should not be watched: every settle asks for a scan. */
export function scanningWatch(note: string): Watch {
  return {
    mode: 'scanning',
    note,
    settle: () => Promise.resolve({ hints: 'rescan' }),
    onHint: () => () => undefined,
    addFolders: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
