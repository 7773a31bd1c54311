/**
 * Events between two settles beyond which hints are not trusted. The kernel queues 16,384 and drops the rest without
 * Node saying so; whoever has seen no more than half of that can be sure that nothing was dropped.
 */
export const RAW_EVENT_LIMIT = 8_192;

/** How long a settle waits for proof that all events have arrived before it asks for a scan instead. */
export const SETTLE_LIMIT_MS = 3_000;

/** Debounce: hints are gathered this long before they cross to the main thread; a settle does not wait for it. */
export const GATHER_MS = 5;

/** Folders watched in one workspace. Linux lets a user have some ten or hundred thousand, for all programs together. */
export const WATCHED_FOLDER_LIMIT = 60_000;

/** Recursive watchers have a queue each, so that a cookie proves less; events get this long to catch up with it. */
export const RECURSIVE_GRACE_MS = 60;
