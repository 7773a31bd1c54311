import { isAbsolute } from 'node:path';
import { AGENTS, isAgentName } from '../agents/agents.js';
import type { Environment } from '../surroundings/surroundings.js';

/**
 * Where the agent was started. Its hooks may run elsewhere, so that what it says of itself comes first; what another
 * agent, which started this one, said of itself does not count.
 */
export function projectDirectory(agent: string, environment: Environment, cwd: string): string {
  const variable = isAgentName(agent) ? AGENTS[agent].projectVariable : undefined;
  const told = variable === undefined ? undefined : environment[variable];
  return told !== undefined && isAbsolute(told) ? told : cwd;
}
