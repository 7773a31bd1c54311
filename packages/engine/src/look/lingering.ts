import type { CallEnded } from '@palimpsest/core';
import type { LiveLog } from '../store/live-log.js';
import { type CallPlan, canWrite } from './call-plan.js';
import type { Suspect } from './claims.js';

/**
 * Calls that ended and may have left something running: a shell in the background, a server, a command that the agent
 * stopped waiting for. Until a sign that it is over, what changes may be their doing.
 */
export class Lingering {
  readonly #live: LiveLog;
  readonly #lifetimeMs: number;
  readonly #now: () => number;
  readonly #plans = new Map<string, CallPlan>();

  constructor(live: LiveLog, lifetimeMs: number, now: () => number) {
    this.#live = live;
    this.#lifetimeMs = lifetimeMs;
    this.#now = now;
  }

  add(plan: CallPlan): void {
    this.#plans.set(plan.key, plan);
  }

  suspects(): readonly Suspect[] {
    const { lingering } = this.#live.views.sessions;
    const oldest = this.#now() - this.#lifetimeMs;
    for (const key of this.#plans.keys()) {
      const call = lingering.get(key);
      if (call === undefined || call.at < oldest) this.#plans.delete(key);
    }
    return [...this.#plans.values()].map((plan) => ({ plan, outcome: 'running', ran: 'perhaps' }));
  }
}

/** Whether the call may leave something running, by what it asked for, what it answered, or how it left a file. */
export function lingersAfter(plan: CallPlan, output: string | null, left: 'whole' | 'half'): CallEnded['lingers'] {
  if (!canWrite(plan)) return undefined;
  const handle = plan.action === 'shell' && output !== null ? handleIn(output) : undefined;
  if (handle !== undefined) return { handle };
  return plan.background || left === 'half' ? { handle: null } : undefined;
}

/** How agents say that a command goes on: what it goes by, null where that is not said, undefined where nothing is. */
function handleIn(output: string): string | null | undefined {
  for (const saying of RUNS_ON) {
    const found = saying.exec(output);
    if (found !== null) return found.groups?.handle ?? null;
  }
  return undefined;
}

const RUNS_ON: readonly RegExp[] = [
  /\brunning in (?:the )?background(?: with ID: ?(?<handle>[\w-]+))?/i,
  /"backgroundTaskId": ?"(?<handle>[\w-]+)"/,
  /\bProcess running with session ID (?<handle>\d+)/,
  /^Background PIDs: ?(?<handle>\d+)/m,
  /\bmoved to (?:the )?background\b/i,
];
