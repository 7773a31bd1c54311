import {
  diffLines,
  type Effect,
  effectOn,
  type FreshnessState,
  formatUnified,
  freshnessOf,
  hunksOf,
  isBinary,
  type LineRange,
  lineCount,
  newRangeOf,
  oldRangeOf,
  rangesOverlap,
  type Seen,
  spokenPath,
  type WorkspacePath,
} from '@palimpsest/core';
import type { CallPlan } from './call-plan.js';
import type { ContentStore } from './content/content.js';
import type { FileState } from './log/log.js';
import type { GuardPolicy, GuardSettings } from './settings.js';

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
 * Looks at what a session has seen of the files that a call is about to edit. What it saw must be what is there. A shell
 * command is never refused for what it is merely predicted to write; it is warned.
 */
export async function guardCall(
  plan: CallPlan,
  seenOf: (path: WorkspacePath) => Seen | undefined,
  presentOf: (path: WorkspacePath) => FileState | null,
  parts: GuardParts,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [path, planned] of plan.writes) {
    const present = presentOf(path);
    const seen = seenOf(path);
    const state = freshnessOf(seen, present ?? 'absent');
    const policy = policyFor(state, present, plan, parts.settings);
    if (policy === 'off') continue;
    if (state === 'stale' && (await isApart(planned.effect, seen!, present!, parts))) {
      findings.push({ path, state, decision: 'warn', text: await staleText(path, seen!, present!, parts, 'apart') });
      continue;
    }
    const text =
      state === 'stale' ? await staleText(path, seen!, present!, parts, policy) : plainText(path, state, policy);
    findings.push({ path, state, decision: policy, text });
  }
  return findings;
}

export function decisionOf(findings: readonly Finding[]): Decision {
  if (findings.some((finding) => finding.decision === 'deny')) return 'deny';
  return findings.length > 0 ? 'warn' : 'allow';
}

function policyFor(
  state: FreshnessState,
  present: FileState | null,
  plan: CallPlan,
  settings: GuardSettings,
): GuardPolicy {
  const soften = (policy: GuardPolicy): GuardPolicy => (plan.action === 'shell' && policy === 'deny' ? 'warn' : policy);
  switch (state) {
    case 'stale':
      return soften(settings.stale);
    case 'never-seen':
      return present === null || plan.action === 'shell' ? 'off' : settings.unseen;
    case 'missing':
      return settings.stale === 'off' ? 'off' : 'warn';
    case 'fresh':
    case 'unverifiable':
      return 'off';
  }
}

function plainText(named: WorkspacePath, state: FreshnessState, policy: GuardPolicy): string {
  const path = spokenPath(named);
  if (state === 'missing') return `${path} was there when you last saw it and is gone now.`;
  const what = `${path} exists and has not been read in this session.`;
  return policy === 'deny'
    ? `${what} Read it first, then make the edit again.`
    : `${what} Read it before you rely on what is in it.`;
}

async function staleText(
  named: WorkspacePath,
  seen: Seen,
  present: FileState,
  parts: GuardParts,
  verdict: GuardPolicy | 'apart',
): Promise<string> {
  const path = spokenPath(named);
  const diff = await shortDiff(named, seen, present, parts);
  const what = `${path} has changed since you last saw it.`;
  const facts = diff === null ? what : `${what} What changed:\n${diff}`;
  switch (verdict) {
    case 'deny':
      return `${facts}\nNothing was edited. Read ${path} again, then make the edit again on what is there now.`;
    case 'apart':
      return `${facts}\nYour edit touches other lines and was let through. Read ${path} again before the next one.`;
    default:
      return `${facts}\nRead ${path} again.`;
  }
}

async function shortDiff(
  path: WorkspacePath,
  seen: Seen,
  present: FileState,
  parts: GuardParts,
): Promise<string | null> {
  const [before, after] = await Promise.all([parts.content.get(seen.content), parts.content.get(present.content)]);
  if (!before.ok || !after.ok) return null;
  if (isBinary(before.value) || isBinary(after.value)) return null;
  const unified = decoder.decode(formatUnified({ path, bytes: before.value }, { path, bytes: after.value }));
  const hunks = unified.slice(Math.max(unified.indexOf('@@'), 0));
  return clip(hunks.trimEnd(), parts.diffChars);
}

const decoder = new TextDecoder();

function clip(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit);
  const whole = cut.slice(0, Math.max(cut.lastIndexOf('\n'), 0));
  const left = text.slice(whole.length).split('\n').length - 1;
  return `${whole}\n… ${left} more lines of diff`;
}

/** Whether an edit leaves every changed line, and the lines next to them, alone. */
async function isApart(effect: Effect | null, seen: Seen, present: FileState, parts: GuardParts): Promise<boolean> {
  if (parts.settings.apart !== 'pass' || effect === null || effect.kind === 'replace-all-content') return false;
  const [old, now] = await Promise.all([parts.content.get(seen.content), parts.content.get(present.content)]);
  if (!old.ok || !now.ok) return false;
  const next = effectOn(effect, now.value);
  if (!(next instanceof Uint8Array)) return false;
  const changed = hunksOf(diffLines(old.value, now.value), lineCount(old.value), 0).flatMap((span): LineRange[] => {
    const range = newRangeOf(span);
    return [range ?? { from: span.newStart, to: span.newStart + 1 }];
  });
  const edited = hunksOf(diffLines(now.value, next), lineCount(now.value), 0).map(oldRangeOf);
  return !rangesOverlap(changed, edited);
}
