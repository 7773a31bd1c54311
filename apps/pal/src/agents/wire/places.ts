import { isAbsolute, join } from 'node:path';
import type { Surroundings } from '../../places.js';
import type { AgentName } from '../agent-name.js';

/** Agents with a hooks file; the others have plugins. */
export type HookedAgent = 'claude' | 'codex' | 'gemini';

/** Where an agent's configuration is. */
export type AgentPlaces = {
  /** The name of its program. */
  readonly program: string;
  /** Its folder in the user's home: when it is there, the agent has been used. */
  readonly home: string;
  /** Its folders in a workspace. */
  readonly local: readonly string[];
};

export function agentPlaces({ environment, home }: Surroundings): Readonly<Record<AgentName, AgentPlaces>> {
  const or = (value: string | undefined, ...fallback: readonly string[]) =>
    value !== undefined && isAbsolute(value) ? value : join(home, ...fallback);
  return {
    claude: { program: 'claude', home: or(environment.CLAUDE_CONFIG_DIR, '.claude'), local: ['.claude'] },
    codex: { program: 'codex', home: or(environment.CODEX_HOME, '.codex'), local: ['.codex'] },
    gemini: { program: 'gemini', home: join(home, '.gemini'), local: ['.gemini'] },
    opencode: {
      program: 'opencode',
      home: join(or(environment.XDG_CONFIG_HOME, '.config'), 'opencode'),
      local: ['.opencode', 'opencode.json', 'opencode.jsonc'],
    },
    cline: { program: 'cline', home: join(home, '.cline'), local: ['.cline', '.clinerules'] },
  };
}
