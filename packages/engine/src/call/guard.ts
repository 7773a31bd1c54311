import {
  type FreshnessState,
  freshnessOf,
  type Grounds,
  groundsOf,
  isRenewed,
  isWhole,
  type LineRange,
  lineCount,
  type Seen,
  type Sight,
  subtractRanges,
  type ToolAction,
  unseenIn,
  type WorkspacePath,
} from '@palimpsest/core';
import type { GuardPolicy, GuardSettings } from '../basis/settings.js';
import type { ContentStore } from '../content/content.js';
import type { FileState } from '../log/log.js';
import type { CallPlan } from '../look/call-plan.js';
import { missingText, staleText, unreadText } from './guard-text.js';
import { presentSight } from './present-sight.js';

export type Decision = 'allow' | 'warn' | 'deny';

/** What speaks against an edit of one file, in words that the agent can act on. */
export type Finding = {
  readonly path: WorkspacePath;
  readonly state: FreshnessState;
  readonly decision: Decision;
  readonly text: string;
};

export type GuardParts = {
  readonly content: ContentStore;
  readonly settings: GuardSettings;
  readonly diffChars: number;
};

/**
 * Looks at what a session has seen of the files that a call is about to edit. What the edit rests on must have been seen
 * as it is. A shell command is never refused for what it is merely predicted to write; it is warned.
 */
export async function guardCall(
  plan: CallPlan,
  seenOf: (path: WorkspacePath) => Seen | undefined,
  presentOf: (path: WorkspacePath) => FileState | null,
  parts: GuardParts,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const path of plan.writes.keys()) {
    const present = presentOf(path);
    const seen = seenOf(path);
    const finding =
      seen === undefined || present === null
        ? blindFinding(path, present, freshnessOf(seen, present ?? 'absent'), plan, parts.settings)
        : await seenFinding({ path, seen, present }, plan, parts);
    if (finding !== null) findings.push(finding);
  }
  return findings;
}

export function decisionOf(findings: readonly Finding[]): Decision {
  if (findings.some((finding) => finding.decision === 'deny')) return 'deny';
  return findings.length > 0 ? 'warn' : 'allow';
}

/** The file is not there, or nothing of it was ever seen. */
function blindFinding(
  path: WorkspacePath,
  present: FileState | null,
  state: FreshnessState,
  plan: CallPlan,
  settings: GuardSettings,
): Finding | null {
  if (state === 'missing') return findingOf(path, state, settings.stale === 'off' ? 'off' : 'warn', missingText(path));
  if (present === null || plan.action === 'shell') return null;
  return findingOf(path, state, settings.unseen, unreadText(path, settings.unseen, 'all'));
}

type Known = { readonly path: WorkspacePath; readonly seen: Seen; readonly present: FileState };

async function seenFinding(known: Known, plan: CallPlan, parts: GuardParts): Promise<Finding | null> {
  const { path, seen, present } = known;
  const { settings, content } = parts;
  const state = freshnessOf(seen, present);
  // A command's prediction says too little to hold single lines against it.
  if (state === 'fresh' && (isWhole(seen.last) || plan.action === 'shell')) return null;
  const found = await content.get(present.content);
  const text = found.ok ? found.value : new Uint8Array(0);
  const sight = await presentSight(seen, present.content, content);
  const grounds = found.ok ? groundsIn(path, plan, text) : groundsOf(null, 'writes', text);
  const unseen = unseenIn(grounds, sight);
  const facts = { path, seen, sight, unseen, now: present.content, count: lineCount(text) };
  if (state === 'fresh') {
    if (unseen.length === 0) return null;
    return findingOf(path, state, settings.unseen, unreadText(path, settings.unseen, unseen));
  }
  if (isRenewed(grounds, sight)) return null;
  const apart = settings.apart === 'pass' && !grounds.untold && unseen.length === 0;
  const policy = apart ? 'warn' : softened(stalePolicy(settings, sight, unseen), plan);
  if (policy === 'off') return null;
  return findingOf(path, state, policy, await staleText(facts, apart ? 'apart' : policy, parts));
}

/** Lines that nobody changed and that were never read are the other policy's business. */
function stalePolicy({ stale, unseen }: GuardSettings, sight: Sight, lines: readonly LineRange[]): GuardPolicy {
  const unread = subtractRanges(lines, sight.missed).length > 0;
  return unread && STRICTNESS[unseen] > STRICTNESS[stale] ? unseen : stale;
}

const STRICTNESS: Readonly<Record<GuardPolicy, number>> = { off: 0, warn: 1, deny: 2 };

function softened(policy: GuardPolicy, { action }: CallPlan): GuardPolicy {
  return action === 'shell' && policy === 'deny' ? 'warn' : policy;
}

function findingOf(path: WorkspacePath, state: FreshnessState, policy: GuardPolicy, text: string): Finding | null {
  return policy === 'off' ? null : { path, state, decision: policy, text };
}

/** A file that is moved keeps its text, but for what the call changes in it; one that is moved onto loses all of it. */
function groundsIn(path: WorkspacePath, plan: CallPlan, text: Uint8Array): Grounds {
  const planned = plan.writes.get(path)!;
  if (planned.from !== null) return groundsOf({ kind: 'delete' }, 'writes', text);
  const names = WRITING.has(plan.action) ? 'writes' : 'perhaps';
  if (planned.effect?.kind !== 'move') return groundsOf(planned.effect, names, text);
  const target = [...plan.writes.values()].find(({ from }) => from === path);
  return { ...groundsOf(target?.effect ?? planned.effect, names, text), untold: true };
}

const WRITING: ReadonlySet<ToolAction> = new Set<ToolAction>(['write', 'edit', 'patch']);
