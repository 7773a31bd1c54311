import type { AgentFork, ForkPoint } from '@palimpsest/engine';
import type { Environment } from '../../surroundings/surroundings.js';

/** How the conversations of one agent are forked. What goes wrong is thrown, with words for people. */
export type Forking = {
  /** Why it cannot be done there; null when it can. Nothing is touched. */
  readonly cannot: (point: ForkPoint, environment: Environment) => Promise<string | null>;
  readonly fork: (point: ForkPoint, environment: Environment) => Promise<AgentFork>;
};
