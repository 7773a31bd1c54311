import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { AgentName } from '../agents/agents.js';
import type { HookGroup, Strictness, Target, Worktrees } from '../agents/target.js';
import type { HookAddress } from '../link/hook-address.js';
import { readCurrent } from './apply.js';
import { ourGroups } from './hooks-file.js';
import { hasPlugin, withoutPlugin } from './plugin-list.js';
import { targetsOf, type WireOptions } from './targets.js';

/** `other`: something of ours is there, and it is not what this `pal` would write. */
export type WiredState = 'no' | 'yes' | 'other';

/** How an agent is wired in one place, a program that its hooks run and that is not there, and where they ask if they do. */
export type WiredReading = TargetReading & { readonly address: HookAddress | null };

type TargetReading = { readonly state: WiredState; readonly gone: string | null };

export function readWired(agent: AgentName, options: WireOptions): WiredReading {
  const addresses = options.address === null ? [null] : [null, options.address];
  const ways = addresses.flatMap((address) =>
    STRICTNESS.flatMap((strictness) => WORKTREES.map((worktrees) => ({ ...options, strictness, address, worktrees }))),
  );
  const readings = ways.map((way) => ({ address: way.address, read: targetsOf(agent, way).map(readTarget) }));
  const whole = readings.find(({ read }) => read.every(isWhole));
  const some = readings[0]!.read;
  return {
    state: whole !== undefined ? 'yes' : some.every(isNone) ? 'no' : 'other',
    gone: some.find(({ gone }) => gone !== null)?.gone ?? null,
    address: whole?.address ?? null,
  };
}

const STRICTNESS: readonly Strictness[] = ['lenient', 'strict'];
const WORKTREES: readonly (Worktrees | undefined)[] = [undefined, 'auto', 'review'];

const isWhole = ({ state }: TargetReading) => state === 'yes';
const isNone = ({ state }: TargetReading) => state === 'no';

function readTarget(target: Target): TargetReading {
  const current = readCurrent(target.path)?.toString('utf8');
  if (current === undefined) return { state: 'no', gone: null };
  switch (target.kind) {
    case 'own-file':
      return { state: current === target.text ? 'yes' : 'other', gone: null };
    case 'plugin-list':
      if (hasPlugin(current, target.url)) return { state: 'yes', gone: null };
      return { state: withoutPlugin(current) === current ? 'no' : 'other', gone: null };
    case 'hooks': {
      const ours = ourGroups(current) ?? [];
      if (ours.length === 0) return { state: 'no', gone: null };
      const wanted = [...target.groups].sort((a, b) => (a.event < b.event ? -1 : a.event > b.event ? 1 : 0));
      return { state: isDeepStrictEqual(ours, wanted) ? 'yes' : 'other', gone: goneProgram(ours) };
    }
  }
}

/** A hook that cannot be run is one that is not there, and no agent says so. */
function goneProgram(groups: readonly HookGroup[]): string | null {
  const commands = groups.flatMap(({ group }) =>
    ((group.hooks as readonly { command?: string }[] | undefined) ?? []).map(({ command = '' }) => command),
  );
  const paths = commands.flatMap((command) =>
    [...command.matchAll(ABSOLUTE)].map(([, quoted, bare]) => quoted ?? bare!),
  );
  return paths.find((path) => !existsSync(path)) ?? null;
}

const ABSOLUTE = /(?:^|\s)(?:'(\/[^']+)'|(\/[^\s'"]+))/g;
