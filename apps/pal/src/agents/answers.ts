import { type HookOutput, type HookReply, SILENCE } from './hook-event.js';

/**
 * Our answer as the exit code and the text of a hook that is a program. Exit 2 with the reason on stderr and nothing on
 * stdout denies in all agents that run programs. Codex lets the call run when the JSON has a key that it does not know, so
 * there is never one more than it takes.
 */
export function hookAnswer(event: string, { deny, context }: HookReply): HookOutput {
  if (deny !== undefined) return denied(deny);
  if (context === undefined) return SILENCE;
  return { ...SILENCE, stdout: JSON.stringify(specific(event, { additionalContext: context })) };
}

/** Claude Code puts the whole command line of a hook that exits with 2 before the reason; to JSON it adds next to nothing. */
export function claudeAnswer(event: string, reply: HookReply): HookOutput {
  if (reply.deny === undefined || event !== 'PreToolUse') return hookAnswer(event, reply);
  return { ...SILENCE, stdout: JSON.stringify(httpAnswer(event, reply)) };
}

/** Gemini CLI tells its user that a hook which exits with 2 has failed. */
export function geminiAnswer(event: string, reply: HookReply): HookOutput {
  if (reply.deny === undefined) return hookAnswer(event, reply);
  return { ...SILENCE, stdout: JSON.stringify({ decision: 'deny', reason: reply.deny }) };
}

/** Plugins of ours take the answer as it is. */
export function pluginAnswer(_event: string, { deny, context }: HookReply): HookOutput {
  if (deny !== undefined) return denied(deny);
  return context === undefined ? SILENCE : { ...SILENCE, stdout: JSON.stringify({ context }) };
}

/** Our answer as the body that Claude Code takes from a hook that is a request. */
export function httpAnswer(event: string, { deny, context }: HookReply): Readonly<Record<string, unknown>> {
  if (deny !== undefined) return specific(event, { permissionDecision: 'deny', permissionDecisionReason: deny });
  return context === undefined ? {} : specific(event, { additionalContext: context });
}

function denied(reason: string): HookOutput {
  return { exit: 2, stdout: '', stderr: `${reason}\n` };
}

function specific(event: string, said: Readonly<Record<string, string>>) {
  return { hookSpecificOutput: { hookEventName: event, ...said } };
}
