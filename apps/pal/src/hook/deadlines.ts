import { AGENT_NAMES, AGENTS, type AgentName } from '../agents/agents.js';
import type { Environment } from '../surroundings/surroundings.js';
import { PATIENCE_MS, UNTIL } from './patience.js';

/** For how long after a miss the next one is expected. */
const MISS_MS = 10_000;

export function patienceFor(event: string, sinceMissMs: number): number {
  if (DECIDING_EVENTS.has(event)) return PATIENCE_MS.before;
  if (sinceMissMs < MISS_MS) return PATIENCE_MS.afterMiss;
  return PATIENCE_MS.after;
}

/**
 * Until when the agent may be kept waiting by an event that we were started for, in milliseconds since the epoch. A script
 * or a plugin that heard of it before us says so; nobody can make it later than that agent's deadline.
 */
export function untilOf(agent: AgentName, environment: Environment, startedAt: number): number {
  const latest = startedAt + AGENTS[agent].waits.deadlineMs;
  const told = Number(environment[UNTIL] ?? '');
  return told > 0 ? Math.min(told, latest) : latest;
}

export function leftMs(until: number): number {
  return Math.max(1, Math.ceil(until - Date.now()));
}

/** Those of all agents; no two call different things by one name. */
export const DECIDING_EVENTS: ReadonlySet<string> = new Set(AGENT_NAMES.flatMap((name) => AGENTS[name].deciding));
