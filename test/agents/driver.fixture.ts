import { delimiter, dirname } from 'node:path';
import type { AgentName } from '../../apps/pal/src/agents/agents.js';
import type { Source } from './programs.fixture.js';
import type { ModelCall } from './scripted-model.fixture.js';
import type { RunOptions, Seat } from './seat.fixture.js';

/** How one agent is run headless, and what its tools are called. */
export type Driver = {
  readonly agent: AgentName;
  readonly source: (platform: string) => Source;
  /** Writes what makes the agent talk to the scripted model. */
  readonly prepare: (seat: Seat) => void | Promise<void>;
  readonly environment: (seat: Seat) => Readonly<Record<string, string>>;
  readonly words: (seat: Seat, prompt: string, options: RunOptions) => readonly string[];
  readonly tools: (seat: Seat) => Tools;
  /** The name that a change is recorded under, by what was called. */
  readonly named: Readonly<Record<'edit' | 'write' | 'shell', string>>;
  /** Whether a run can take up the one before it. */
  readonly resumes: boolean;
  /** Whether what a prompt mentions with `@` is put before the model without a tool. */
  readonly mentions: boolean;
  /** Whether it lets anybody know that a headless run is over. */
  readonly saysGoodbye: boolean;
  /** What it says where it refuses an edit itself, before it asks anybody. */
  readonly refuses?: { readonly changedWhole?: string; readonly touched?: string };
  /** The id that the agent knows a call by; null for an agent that has none. */
  readonly callId: (id: string) => string | null;
};

export type Tools = {
  readonly read: (path: string) => ModelCall;
  readonly readLines: (path: string, from: number, to: number) => ModelCall;
  readonly edit: (path: string, from: string, to: string) => ModelCall;
  readonly write: (path: string, text: string) => ModelCall;
  readonly shell: (command: string) => ModelCall;
  /** Goes on after the call has ended. */
  readonly background: (command: string) => ModelCall;
};

/** For agents that have no way of their own to leave a command running, and end what is left of a call's. */
export function detached(command: string): string {
  return `setsid sh -c '${command}' >/dev/null 2>&1 &`;
}

/** Where whoever is started with it finds the program by its name. */
export function onPath(program: string): string {
  return [dirname(program), process.env.PATH ?? ''].join(delimiter);
}
