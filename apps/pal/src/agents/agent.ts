import type { Environment, Surroundings } from '../surroundings/surroundings.js';
import type { HookEvent, HookOutput, HookReply } from './hook-event.js';
import type { Target, Wiring } from './target.js';
import type { AgentTranscript } from './transcript.js';

/** All that is known of one agent; everything that speaks of agents is derived from these values. */
export type Agent = {
  /** What it is called on the command line; its sessions are recorded under this name. */
  readonly name: string;
  readonly title: string;
  /** The name of its program. */
  readonly program: string;
  /** Its folder in the user's home: when it is there, the agent has been used. */
  readonly home: (surroundings: Surroundings) => string;
  /** Its folders in a workspace; what everybody there shares is written into the first. */
  readonly local: readonly string[];
  /** The files that wire it up. */
  readonly wiring: (wiring: Wiring) => readonly Target[];
  /** What is left to the user after that, and cannot be done for them. */
  readonly afterwards?: string;
  /** What of this an editor that runs it over the Agent Client Protocol does not get, and what to do about it. */
  readonly underAcp?: string;
  /** How many of our hooks it has, and how many of them it runs, for an agent that wants them approved. */
  readonly approval?: (program: string, workspace: string, environment: Environment) => Promise<Approval | null>;
  /** The variable that tells its hooks where it was started; they may run elsewhere. */
  readonly projectVariable?: string;
  /**
   * For how long one event may keep it waiting, in milliseconds. All that is tried, a daemon that has to be started
   * included, ends within `deadlineMs`. `limitMs` is where the agent itself gives up, and null where it never does.
   */
  readonly waits: { readonly deadlineMs: number; readonly limitMs: number | null };
  /** That it went on without our plugin, and why, if its own log tells so of any time since then. */
  readonly dropped?: (surroundings: Surroundings, since: number) => Dropped | null;
  /** The events whose answer it acts on, and so waits for longest: it denies a call, or comes with the prompt. */
  readonly deciding: readonly string[];
  /** Null for an event that is none of our business, or a payload that cannot be understood. */
  readonly read: (event: string, payload: unknown) => HookEvent | null;
  /** The kinds of events whose answer may carry context for the model. */
  readonly hears: ReadonlySet<HookEvent['kind']>;
  readonly answer: (event: string, reply: HookReply) => HookOutput;
  /** How it writes down its conversation itself. */
  readonly transcript: AgentTranscript;
  /** Whether a file that a prompt mentions with `@` is put in front of the model along with it. */
  readonly mentions: 'shown' | 'left-out';
};

export type Dropped = { readonly at: string; readonly why: string; readonly remedy: string };

export type Approval = { readonly ours: number; readonly approved: number };
