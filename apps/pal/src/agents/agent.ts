import type { AgentName } from './agent-name.js';
import type { HookEvent } from './hook-event.js';

/** One agent: how its events are read, and where it lets us speak. Pure. */
export type Agent = {
  readonly name: AgentName;
  /** Null for an event that is none of our business, or a payload that cannot be understood. */
  readonly read: (event: string, payload: unknown) => HookEvent | null;
  /** The kinds of events whose answer may carry context for the model. */
  readonly hears: ReadonlySet<HookEvent['kind']>;
  /** Whether a file that a prompt mentions with `@` is put in front of the model along with it. */
  readonly mentions: 'shown' | 'left-out';
};
