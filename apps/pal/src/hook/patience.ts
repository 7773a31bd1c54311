/**
 * How long an agent may be kept waiting, in milliseconds. An event that is late still reaches the daemon, which goes on
 * with it; only the answer is lost. `afterMiss` is for an event whose answer decides nothing, soon after one got none.
 * `start` is for the one event that finds no daemon and has to start it.
 */
export const PATIENCE_MS = { before: 2_000, after: 1_500, start: 3_000, afterMiss: 300 } as const;
