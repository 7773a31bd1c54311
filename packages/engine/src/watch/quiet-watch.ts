import type { Watch } from './watch.js';

/** A watch that also knows whether anything was hinted since it was last settled. */
export interface QuietWatch extends Watch {
  readonly quiet: boolean;
}

export function quietWatch(watch: Watch): QuietWatch {
  let hints = 0;
  let settled = 0;
  const unhint = watch.onHint(() => {
    hints += 1;
  });
  return {
    get quiet() {
      return hints === settled;
    },
    get mode() {
      return watch.mode;
    },
    get note() {
      return watch.note;
    },
    async settle() {
      const found = await watch.settle();
      settled = hints;
      return found;
    },
    onHint: (listener) => watch.onHint(listener),
    addFolders: (folders) => watch.addFolders(folders),
    async close() {
      unhint();
      await watch.close();
    },
  };
}
