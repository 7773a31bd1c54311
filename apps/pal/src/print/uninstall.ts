import type { OwnData } from '../uninstall/own-data.js';
import type { Manner, Wired } from '../wiring/wiring.js';
import { bytes, counted } from './amount.js';
import { fitting } from './folded.js';
import { harmless } from './harmless.js';
import { agentBlocks, initJson } from './init.js';
import type { Style } from './style.js';

export type UninstallFacts = {
  readonly manner: Manner;
  readonly wired: readonly Wired[];
  /** Files in workspaces that everybody's agents read, by `pal init --shared`. */
  readonly shared: readonly string[];
  /** The daemon that was running. */
  readonly pid: number | null;
  readonly data: OwnData;
  readonly fate: 'removed' | 'kept';
};

export function uninstallJson({ manner, wired, shared, pid, data, fate }: UninstallFacts) {
  const { dryRun, agents } = initJson({ done: wired, manner, direction: 'remove' });
  return { dryRun, agents, shared, daemon: pid === null ? null : { pid }, data: { ...data, fate } };
}

export function uninstallText({ manner, wired, shared, pid, data, fate }: UninstallFacts, style: Style): string {
  const would = manner === 'pretend' ? 'would be ' : '';
  const blocks = agentBlocks({ done: wired, manner, direction: 'remove' }, style);
  const amount = `the data of ${counted(data.workspaces, 'workspace')} (${bytes(data.bytes)}) in ${harmless(data.folder)}`;
  const lines = [
    ...(blocks.length > 0 ? [] : ['no agent was wired up']),
    ...(shared.length === 0 ? [] : [`left, because others share ${shared.length === 1 ? 'it' : 'them'}:`]),
    ...shared.map((path) => `  ${harmless(path)}`),
    pid === null ? 'the daemon was not running' : `the daemon (process ${pid}) ${would === '' ? 'was ' : would}stopped`,
    fate === 'removed'
      ? `${would}removed: ${amount}`
      : `kept: ${amount}; \`pal uninstall --data\` removes it, and with it every way back`,
    ...(fate === 'kept' || data.others.length === 0 ? [] : [`left, because it is not ours: ${named(data.others)}`]),
  ];
  const next = manner === 'pretend' ? 'nothing was done; leave out --dry-run to do it' : NEXT;
  return [...blocks, lines.map((line) => fitting(line, 0, style.width)).join('\n'), style.paint.quiet(next)].join(
    '\n\n',
  );
}

const NEXT = `an agent that is running keeps its hooks until it is started again;
\`npm uninstall --global palimpsest\` removes the program itself`;

function named(names: readonly string[]): string {
  return names.map(harmless).join(', ');
}
