/**
 * How long a daemon that runs is waited for, in milliseconds. An event that is late still reaches it, and it goes on with
 * that; only the answer is lost. `afterMiss` is for an event whose answer decides nothing, soon after one got none. What
 * else is tried ends by the deadline of the agent.
 */
export const PATIENCE_MS = { before: 2_000, after: 1_500, afterMiss: 300 } as const;

/** How one process of ours tells the next until when the agent waits. */
export const UNTIL = 'PAL_UNTIL_MS';
