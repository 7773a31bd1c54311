import type { Outcome } from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';

/** Where in a conversation of an agent another is to go on from. */
export type ForkPoint = {
  readonly agent: string;
  readonly session: string;
  readonly transcript: string;
  /** The workspace's folder, in which the agent is started again. */
  readonly root: string;
  readonly cut: Cut;
};

export type Cut =
  /** Everything before what was asked in a turn. `message`: the agent's own id of it, `previous`: the turn before it. */
  | {
      readonly kind: 'before-prompt';
      readonly turn: string;
      readonly message: string | null;
      readonly previous: string | null;
    }
  /** Everything up to a call that was not made yet, or up to and with its result. */
  | { readonly kind: 'before-call' | 'after-call'; readonly call: string }
  /** All of it. `last`: its last turn. */
  | { readonly kind: 'end'; readonly last: string | null };

/** A session of an agent that goes on from there. */
export type AgentFork = {
  readonly session: string;
  /** The command that takes it up, and the one that takes up the old one. */
  readonly resume: string;
  readonly back: string;
  readonly drop: () => Promise<void>;
};

/** Whoever knows the agents forks their conversations, never in place. */
export interface AgentForks {
  /** Whether it can be done, without touching anything; otherwise a refusal that says why. */
  plan(point: ForkPoint): Promise<Outcome<null, Refusal>>;
  fork(point: ForkPoint): Promise<Outcome<AgentFork, Refusal>>;
}
