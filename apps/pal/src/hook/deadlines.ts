/**
 * How long an agent may be kept waiting, in milliseconds. An event that is late still reaches the daemon, which goes on
 * with it; only the answer is lost. `start` is for the one event that finds no daemon and has to start it.
 */
export const PATIENCE_MS = { before: 2_000, after: 1_500, start: 3_000 } as const;

export function patienceFor(event: string): number {
  if (
    /^(PreToolUse|BeforeTool|UserPromptSubmit|BeforeAgent|tool\.execute\.before|beforeTool|chat\.message|beforeRun)$/.test(
      event,
    )
  )
    return PATIENCE_MS.before;
  return event === 'SessionStart' ? PATIENCE_MS.start : PATIENCE_MS.after;
}
