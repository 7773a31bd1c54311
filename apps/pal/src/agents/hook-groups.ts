import { join } from 'node:path';
import type { HookGroup, Target, Wiring } from './target.js';

/** How a hook is carried out at an event; `options` are for the program that is run. */
export type HookMaker = (event: string, ...options: readonly string[]) => Readonly<Record<string, unknown>>;

/** What agents are told to allow a program, and what it allows itself: the rest is for an agent and a machine that are busy. */
export const PROGRAM_WAITS = { deadlineMs: 5_000, limitMs: 10_000 } as const;

/** Most agents count the limit in seconds. */
export function programHook({ command }: Wiring, unit: 'seconds' | 'milliseconds' = 'seconds'): HookMaker {
  const timeout = unit === 'seconds' ? PROGRAM_WAITS.limitMs / 1000 : PROGRAM_WAITS.limitMs;
  return (event, ...options) => ({ type: 'command', command: command(event, ...options), timeout });
}

export function plainGroups(events: readonly string[], hook: HookMaker): readonly HookGroup[] {
  return events.map((event) => ({ event, group: { hooks: [hook(event)] } }));
}

export function matchingGroup(event: string, matcher: string, hook: Readonly<Record<string, unknown>>): HookGroup {
  return { event, group: { matcher, hooks: [hook] } };
}

export function hooksFile({ folder }: Wiring, name: string, groups: readonly HookGroup[], secret = false): Target {
  return { kind: 'hooks', path: join(folder, name), groups, secret };
}
