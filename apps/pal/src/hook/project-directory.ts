import { isAbsolute } from 'node:path';

/** Where the agent was started. Its hooks may run elsewhere, so that what it says of itself comes first. */
export function projectDirectory(
  agent: string,
  environment: Readonly<Record<string, string | undefined>>,
  cwd: string,
): string {
  const told = agent === 'gemini' ? environment.GEMINI_PROJECT_DIR : environment.CLAUDE_PROJECT_DIR;
  // A Codex that Claude Code started has that one's variables too, and they are not about it.
  const counts = (agent === 'claude' || agent === 'gemini') && told !== undefined && isAbsolute(told);
  return counts ? told : cwd;
}
