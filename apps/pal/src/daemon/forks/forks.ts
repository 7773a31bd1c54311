import { failed, type Outcome, ok } from '@palimpsest/core';
import type { AgentFork, AgentForks, ForkPoint, Refusal } from '@palimpsest/engine';
import { AGENTS, type AgentName, isAgentName } from '../../agents/agents.js';
import type { Environment } from '../../surroundings/surroundings.js';
import { codexForking } from './codex-fork.js';
import { claudeForking, geminiForking, qwenForking } from './file-forks.js';
import type { Forking } from './forking.js';
import { opencodeForking } from './opencode-fork.js';

/** Null for an agent that takes up no session from outside. */
const FORKINGS: Readonly<Record<AgentName, Forking | null>> = {
  claude: claudeForking,
  codex: codexForking,
  gemini: geminiForking,
  opencode: opencodeForking,
  qwen: qwenForking,
  cline: null,
};

/** Forks conversations of the agents that we know, with the environment that the daemon has. */
export function agentForks(daemons: Environment, path: { readonly value: string }): AgentForks {
  const around = () => ({ ...daemons, PATH: path.value });
  return {
    async plan(point) {
      const forking = forkingOf(point);
      if (!forking.ok) return forking;
      try {
        const why = await forking.value.cannot(point, around());
        return why === null ? ok(null) : refused(why);
      } catch (error) {
        return refused(wordsOf(error));
      }
    },
    async fork(point): Promise<Outcome<AgentFork, Refusal>> {
      const forking = forkingOf(point);
      if (!forking.ok) return forking;
      try {
        return ok(await forking.value.fork(point, around()));
      } catch (error) {
        return refused(wordsOf(error));
      }
    },
  };
}

function forkingOf({ agent }: ForkPoint): Outcome<Forking, Refusal> {
  const forking = isAgentName(agent) ? FORKINGS[agent] : null;
  if (forking !== null) return ok(forking);
  const title = isAgentName(agent) ? AGENTS[agent].title : agent;
  return refused(`${title} takes up no conversation from outside; --mode files brings the files back`);
}

function refused<T>(why: string): Outcome<T, Refusal> {
  return failed({ code: 'nothing-to-do', why });
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
