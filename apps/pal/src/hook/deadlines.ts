import { AGENT_NAMES, AGENTS } from '../agents/agents.js';

/**
 * How long an agent may be kept waiting, in milliseconds. An event that is late still reaches the daemon, which goes on
 * with it; only the answer is lost. `afterMiss` is for an event whose answer decides nothing, soon after one got none.
 * `start` is for the one event that finds no daemon and has to start it.
 */
export const PATIENCE_MS = { before: 2_000, after: 1_500, start: 3_000, afterMiss: 300 } as const;

/** For how long after a miss the next one is expected. */
const MISS_MS = 10_000;

export function patienceFor(event: string, sinceMissMs: number): number {
  if (DECIDING_EVENTS.has(event)) return PATIENCE_MS.before;
  if (sinceMissMs < MISS_MS) return PATIENCE_MS.afterMiss;
  return PATIENCE_MS.after;
}

/** Those of all agents; no two call different things by one name. */
export const DECIDING_EVENTS: ReadonlySet<string> = new Set(AGENT_NAMES.flatMap((name) => AGENTS[name].deciding));
