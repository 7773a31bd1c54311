import { sep } from 'node:path';
import { AGENT_NAMES, AGENTS } from '../agents/agents.js';
import type { Surroundings } from '../surroundings/surroundings.js';
import { readMissed } from './missed.js';

const RECENT_MS = 24 * 60 * 60 * 1000;

/** For `pal status`: that agents in this workspace went on without an answer. */
export function missedRemarks(data: string, root: string): readonly string[] {
  const here = readMissed(data, Date.now() - RECENT_MS).filter(
    ({ directory }) => directory === root || directory.startsWith(root + sep),
  );
  const last = here.at(-1);
  if (last === undefined) return [];
  const amount = here.length === 1 ? 'one event of an agent' : `${here.length} events of agents`;
  return [`${amount} got no answer in time today, the last from ${last.agent} (${last.why}); \`pal doctor\` says more`];
}

/** The same of agents that went on without our plugin. Their logs do not say where that was. */
export function droppedRemarks(surroundings: Surroundings): readonly string[] {
  return AGENT_NAMES.filter((name) => AGENTS[name].dropped?.(surroundings, Date.now() - RECENT_MS)).map(
    (name) => `${AGENTS[name].title} went on without our plugin today; \`pal doctor\` says more`,
  );
}
