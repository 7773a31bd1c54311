/** The agents that can be wired up; also the name that their sessions are recorded under. */
export const AGENT_NAMES = ['claude', 'codex', 'gemini', 'opencode', 'cline'] as const;
export type AgentName = (typeof AGENT_NAMES)[number];

export const AGENT_TITLES: Readonly<Record<AgentName, string>> = {
  claude: 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  opencode: 'opencode',
  cline: 'Cline',
};

export function isAgentName(text: string): text is AgentName {
  return (AGENT_NAMES as readonly string[]).includes(text);
}
