import type { HeldFolder } from './held-folder.js';

type Syncing = { readonly running: Promise<void>; next: Promise<void> | null };

const syncing = new Map<HeldFolder, Syncing>();

/**
 * Makes the names in a folder survive a crash; without it one could forget the new name although the bytes are safe.
 * Coalesced: whoever comes while the folder is being synced waits for the next sync, with all who come until then.
 */
export function syncFolder(folder: HeldFolder): Promise<void> {
  const present = syncing.get(folder);
  if (present === undefined) return begin(folder);
  present.next ??= present.running.then(() => begin(folder));
  return present.next;
}

function begin(folder: HeldFolder): Promise<void> {
  const done = folder.sync();
  const entry: Syncing = { running: done.catch(() => undefined), next: null };
  syncing.set(folder, entry);
  void entry.running.then(() => {
    if (entry.next === null) syncing.delete(folder);
  });
  return done;
}
