import type { Agent } from './agent.js';
import { claude } from './claude.js';
import { cline } from './cline.js';
import { codex } from './codex.js';
import { gemini } from './gemini.js';
import { opencode } from './opencode.js';
import { qwen } from './qwen.js';

const ALL = { claude, codex, gemini, opencode, cline, qwen } as const;

export type AgentName = keyof typeof ALL;

/** The agents that can be wired up, in the order in which they are listed. */
export const AGENTS: Readonly<Record<AgentName, Agent>> = ALL;

export const AGENT_NAMES = Object.keys(ALL) as readonly AgentName[];

export function isAgentName(text: string): text is AgentName {
  return Object.hasOwn(ALL, text);
}
