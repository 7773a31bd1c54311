import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AGENT_NAMES, AGENTS, type AgentName } from '../agents/agents.js';
import { findProgram } from '../surroundings/find-program.js';
import type { Surroundings } from '../surroundings/surroundings.js';

/** How an agent shows that it is used here. */
export type Found = {
  readonly agent: AgentName;
  readonly program: string | null;
  readonly configured: boolean;
  readonly inWorkspace: boolean;
};

export function findAgents(surroundings: Surroundings, workspace: string): readonly Found[] {
  return AGENT_NAMES.map((agent) => findAgent(agent, surroundings, workspace)).filter(
    ({ program, configured, inWorkspace }) => program !== null || configured || inWorkspace,
  );
}

function findAgent(name: AgentName, surroundings: Surroundings, workspace: string): Found {
  const { program, home, local } = AGENTS[name];
  return {
    agent: name,
    program: findProgram(program, surroundings.environment.PATH ?? ''),
    configured: existsSync(home(surroundings)),
    inWorkspace: local.some((folder) => existsSync(join(workspace, folder))),
  };
}
