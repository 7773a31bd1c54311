import type { LineRange } from '@palimpsest/core';

/** What an agent told us through one of its hooks, whatever that agent calls it. */
export type HookEvent =
  | (InSession & { readonly kind: 'session-start'; readonly model?: string | undefined })
  | (InSession & { readonly kind: 'session-end' })
  | (InSession & {
      readonly kind: 'prompt';
      readonly text: string;
      readonly turn?: string | undefined;
      readonly model?: string | undefined;
    })
  | (ToolCall & { readonly kind: 'tool-begin'; readonly turn?: string | undefined })
  | (ToolCall & {
      readonly kind: 'tool-end';
      readonly ok?: boolean;
      readonly output?: string | undefined;
      readonly shown?: LineRange | undefined;
      readonly durationMs?: number | undefined;
    })
  /** What was shown before is no longer in front of the model. */
  | (InSession & { readonly kind: 'cut' })
  /** A turn, or the work of a subagent, is over. `isQuiet`: nothing of the session runs in the background either. */
  | (InSession & { readonly kind: 'pause'; readonly isQuiet?: boolean; readonly subagent?: Subagent | undefined });

/** A subagent whose work is over, and where that is written down. */
export type Subagent = { readonly agentId: string; readonly transcript: string };

export type InSession = {
  readonly session: string;
  readonly cwd?: string | undefined;
  /** Where the agent writes the session down itself. */
  readonly transcript?: string | undefined;
};

export type ToolCall = InSession & {
  readonly callId: CallName;
  readonly tool: string;
  readonly input: unknown;
  /** The subagent within the session. */
  readonly agentId?: string | undefined;
};

/**
 * An agent's own id of a call, or, for an agent that gives none, what two events of one call have in common: `alike` is
 * equal for equal calls, and `at` tells one from the next.
 */
export type CallName = string | { readonly alike: string; readonly at: string };

/** What we have to say to it. `deny` keeps the call from running. */
export type HookReply = { readonly deny?: string; readonly context?: string };

/** How a hook that is a command answers: by its exit code and what it prints. */
export type HookOutput = { readonly exit: 0 | 1 | 2; readonly stdout: string; readonly stderr: string };

/** What a hook says when we could not be asked, where the user wants edits to wait for that. */
export const UNCHECKED: HookOutput = {
  exit: 1,
  stdout: '',
  stderr: 'Palimpsest could not be asked whether this edit is safe. Try again; `pal doctor` says what is wrong.\n',
};

export const SILENCE: HookOutput = { exit: 0, stdout: '', stderr: '' };
