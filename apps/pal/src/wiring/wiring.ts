import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import type { AgentName } from '../agents/agents.js';
import type { Target } from '../agents/target.js';
import { readHookAddress, removeHookAddress } from '../link/hook-address.js';
import { applyUnwire, applyWire, readCurrent } from './apply.js';
import { readLedger, writeLedger } from './ledger.js';
import { changes, type Obstacle, planUnwire, planWire, type Rewrite } from './plan.js';
import { targetsOf, type WireOptions } from './targets.js';

/** What was done, or would be, to the files of one agent. */
export type Wired = {
  readonly agent: AgentName;
  readonly rewrites: readonly Rewrite[];
  readonly obstacles: readonly Obstacle[];
};
export type Manner = 'do' | 'pretend';

/** An agent with an obstacle in its way is left alone as a whole: half a wiring is none. */
export function wire(agents: readonly AgentName[], options: WireOptions, manner: Manner): readonly Wired[] {
  return agents.map((agent) => {
    const targets = targetsOf(agent, options);
    const planned = targets.map((target) => ({
      target,
      rewrite: leadsOut(target.path, options) ?? planWire(target, readCurrent(target.path)),
    }));
    const result = resultOf(
      agent,
      planned.map(({ rewrite }) => rewrite),
    );
    if (manner === 'do' && !isObstructed(result)) {
      for (const { target, rewrite } of planned)
        if ('before' in rewrite && changes(rewrite)) write(target, rewrite, options.data);
    }
    return result;
  });
}

export function unwire(agents: readonly AgentName[], options: WireOptions, manner: Manner): readonly Wired[] {
  return agents.map((agent) => {
    const ledger = readLedger(options.data);
    const rewrites = targetsOf(agent, options).map(
      (target) => leadsOut(target.path, options) ?? planUnwire(target, readCurrent(target.path), ledger[target.path]),
    );
    if (manner === 'do') {
      for (const rewrite of rewrites) {
        if ('before' in rewrite) writeLedger(options.data, applyUnwire(rewrite, readLedger(options.data)));
      }
    }
    return resultOf(agent, rewrites);
  });
}

export function isObstructed({ obstacles }: Wired): boolean {
  return obstacles.length > 0;
}

/** Where hooks that are requests go is forgotten with the hooks that knew it. */
export function dropAddress(data: string, done: readonly Wired[]): void {
  const address = readHookAddress(data);
  if (address === null) return;
  const { token } = address;
  const isGone = done.some(
    (wired) =>
      !isObstructed(wired) &&
      wired.rewrites.some(({ before, after }) => before?.includes(token) === true && after?.includes(token) !== true),
  );
  if (isGone) removeHookAddress(data);
}

/** A link in one's own configuration is one's own; one in a workspace came with the repository. */
function leadsOut(path: string, { scope, workspace }: WireOptions): Obstacle | null {
  if (scope !== 'shared') return null;
  let existing = path;
  while (lstatSync(existing, { throwIfNoEntry: false }) === undefined) existing = dirname(existing);
  const root = realpathSync(workspace);
  const real = existsSync(existing) ? realpathSync(existing) : null;
  if (real === root || real?.startsWith(root + sep)) return null;
  return { path, why: 'a link leads from it out of the workspace' };
}

/** What the file is without us: what it was, or what it is now less what is ours. */
function write(target: Target, rewrite: Rewrite, data: string): void {
  const ledger = readLedger(data);
  const bare = planUnwire(target, rewrite.before, ledger[rewrite.path]);
  writeLedger(data, applyWire(rewrite, 'after' in bare ? bare.after : rewrite.before, ledger));
}

function resultOf(agent: AgentName, planned: readonly (Rewrite | Obstacle)[]): Wired {
  return {
    agent,
    rewrites: planned.filter((rewrite): rewrite is Rewrite => 'before' in rewrite),
    obstacles: planned.filter((rewrite): rewrite is Obstacle => 'why' in rewrite),
  };
}
