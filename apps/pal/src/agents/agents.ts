import type { Agent } from './agent.js';
import type { AgentName } from './agent-name.js';
import { claude } from './claude.js';
import { cline } from './cline.js';
import { codex } from './codex.js';
import { gemini } from './gemini.js';
import { opencode } from './opencode.js';

export const AGENTS: Readonly<Record<AgentName, Agent>> = { claude, codex, gemini, opencode, cline };
