import { AGENT_NAMES, AGENTS } from '../agents/agents.js';
import { PATIENCE_MS } from './patience.js';

/** For how long after a miss the next one is expected. */
const MISS_MS = 10_000;

export function patienceFor(event: string, sinceMissMs: number): number {
  if (DECIDING_EVENTS.has(event)) return PATIENCE_MS.before;
  if (sinceMissMs < MISS_MS) return PATIENCE_MS.afterMiss;
  return PATIENCE_MS.after;
}

/** Those of all agents; no two call different things by one name. */
export const DECIDING_EVENTS: ReadonlySet<string> = new Set(AGENT_NAMES.flatMap((name) => AGENTS[name].deciding));
