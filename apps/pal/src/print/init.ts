import { formatUnified } from '@palimpsest/core';
import { AGENTS } from '../agents/agents.js';
import { changes, type Obstacle, type Rewrite } from '../wiring/plan.js';
import { isOpenToOthers } from '../wiring/secret-file.js';
import type { Manner, Wired } from '../wiring/wiring.js';
import { diffText } from './diff.js';
import { harmless } from './harmless.js';
import type { Style } from './style.js';

export type InitFacts = {
  readonly done: readonly Wired[];
  readonly manner: Manner;
  readonly direction: 'wire' | 'remove';
};

export function initJson({ done, manner }: InitFacts) {
  return {
    dryRun: manner === 'pretend',
    agents: done.map(({ agent, rewrites, obstacles }) => ({
      agent,
      files: rewrites.map((rewrite) => ({ path: rewrite.path, action: actionOf(rewrite), diff: diffOf(rewrite) })),
      obstacles,
    })),
  };
}

export function initText(facts: InitFacts, style: Style): string {
  const { manner, direction } = facts;
  const blocks = agentBlocks(facts, style);
  if (blocks.length === 0) return 'nothing of ours was found';
  const next =
    manner === 'pretend' ? 'nothing was written; leave out --dry-run to do it' : direction === 'wire' ? NEXT : null;
  return [...blocks, ...(next === null ? [] : [style.paint.quiet(next)])].join('\n\n');
}

/** One per agent to which something was done, or that something stands in the way of. */
export function agentBlocks(facts: InitFacts, style: Style): readonly string[] {
  return facts.done
    .filter(({ rewrites, obstacles }) => facts.direction === 'wire' || obstacles.length > 0 || rewrites.some(changes))
    .map((wired) => agentBlock(wired, facts, style));
}

type Action = 'create' | 'change' | 'delete' | 'none';

function actionOf(rewrite: Rewrite): Action {
  if (!changes(rewrite)) return 'none';
  if (rewrite.before === null) return 'create';
  return rewrite.after === null ? 'delete' : 'change';
}

const NEXT = `start your agent as always; \`pal status\` shows what it does,
\`pal init --remove\` undoes this`;

function agentBlock({ agent, rewrites, obstacles }: Wired, { manner, direction }: InitFacts, { paint }: Style): string {
  const did = manner === 'pretend' ? WOULD : DID;
  const files = rewrites.map(
    (rewrite) => `  ${paint.quiet(did[actionOf(rewrite)].padEnd(13))} ${harmless(rewrite.path)}`,
  );
  const diffs = manner === 'pretend' ? rewrites.filter(changes).map((rewrite) => diffText(diffOf(rewrite), paint)) : [];
  const stops = obstacles.map((obstacle) => `  ${paint.bad(obstacleText(obstacle, direction))}`);
  const after = direction === 'wire' ? AGENTS[agent].afterwards : undefined;
  const open = rewrites
    .filter(({ path, secret }) => secret === true && isOpenToOthers(path))
    .map(({ path }) => `Others can read ${harmless(path)}. ${OPEN_SECRET}`);
  const told = [...(after === undefined ? [] : [after]), ...(manner === 'do' ? open : [])];
  const remark = obstacles.length > 0 ? [] : told.map((text) => `  ${paint.careful(text)}`);
  return [paint.strong(AGENTS[agent].title), ...files, ...diffs, ...stops, ...remark].join('\n');
}

const OPEN_SECRET = 'A token is in it now with which they can speak for this agent; `chmod go-r` keeps them out.';

const DID: Readonly<Record<Action, string>> = {
  create: 'wrote',
  change: 'changed',
  delete: 'removed',
  none: 'as it was',
};
const WOULD: Readonly<Record<Action, string>> = {
  create: 'would write',
  change: 'would change',
  delete: 'would remove',
  none: 'stays',
};

function obstacleText({ path, why }: Obstacle, direction: InitFacts['direction']): string {
  return `${harmless(path)} was left alone, and so was this agent: ${why}. Mend it, then run \`pal init${direction === 'remove' ? ' --remove' : ''}\` again.`;
}

function diffOf({ path, before, after }: Rewrite): string {
  const name = path.replace(/^\//, '');
  const side = (bytes: Buffer | null) => (bytes === null ? null : { path: name, bytes, mode: '100644' as const });
  const diff = new TextDecoder().decode(formatUnified(side(before), side(after))).trimEnd();
  // What is shown is passed on, to logs and to models.
  return diff.replace(/(\bBearer )[\w-]{20,}/g, '$1…');
}
