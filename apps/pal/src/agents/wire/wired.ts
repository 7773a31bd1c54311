import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { AgentName } from '../agent-name.js';
import { readCurrent } from './apply.js';
import type { HookGroup } from './hook-groups.js';
import { ourGroups } from './hooks-file.js';
import { hasPlugin, withoutPlugin } from './plugin-list.js';
import { type Target, targetsOf, type WireOptions } from './targets.js';

/** `other`: something of ours is there, and it is not what this `pal` would write. */
export type WiredState = 'no' | 'yes' | 'other';

/** How an agent is wired in one place, and a program that its hooks run and that is not there. */
export type WiredReading = { readonly state: WiredState; readonly gone: string | null };

export function readWired(agent: AgentName, options: WireOptions): WiredReading {
  const lenient = targetsOf(agent, options).map(readTarget);
  const strict = targetsOf(agent, { ...options, strictness: 'strict' }).map(readTarget);
  const state = [lenient, strict].some((readings) => readings.every(isWhole))
    ? 'yes'
    : lenient.every(isNone)
      ? 'no'
      : 'other';
  return { state, gone: lenient.find(({ gone }) => gone !== null)?.gone ?? null };
}

const isWhole = ({ state }: WiredReading) => state === 'yes';
const isNone = ({ state }: WiredReading) => state === 'no';

function readTarget(target: Target): WiredReading {
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
