import {
  type Attributed,
  type Author,
  type Changed,
  type ChangeId,
  changeId,
  explain,
  type FileChange,
  type Operation,
  type Seq,
} from '@palimpsest/core';
import { type CallPlan, plannedWrite } from './call-plan.js';
import type { ContentStore } from './content/content.js';
import type { Log } from './log/log.js';

/** How far back a call's own changes can lie when the news of it comes late. */
export const LATE_MS = 10_000;
/** Operations looked through for them. */
const LATE_OPERATIONS = 50;

/** From where on the log may hold what a call did that is heard of now. */
export function lateSince(log: Log): Seq | 0 {
  return Math.max(0, log.last - LATE_OPERATIONS) as Seq | 0;
}

/**
 * News of a call may come after it ran; what it did then stands in the log as nobody's. What the call was to write, or
 * is predicted to have written, is given to it as `inferred`; what it merely may have written becomes `unknown` with
 * the call as candidate, because a human may have written it as well.
 */
export async function attributeLate(
  plan: CallPlan,
  log: Log,
  content: ContentStore,
  nowMs: number,
): Promise<readonly Attributed[]> {
  const author: Author = { kind: 'agent', session: plan.session, agent: plan.agent, call: plan.call, tool: plan.tool };
  const own: LateChange[] = [];
  const possible: LateChange[] = [];
  const { changes, claims } = recentlyUnclaimed(log, nowMs);
  for (const change of changes) {
    const planned = plannedWrite(plan, change.file.path);
    if (planned !== undefined && (await isOf(planned.effect, change.file, content))) own.push(change);
    else if (plan.opaque) possible.push(change);
  }
  const candidate = { session: plan.session, call: plan.call };
  return [
    ...(own.length === 0 ? [] : [attributed(own, author, 'inferred')]),
    ...Array.from(byEarlierClaim(possible, claims), ([earlier, some]) =>
      attributed(some, { kind: 'unknown', candidates: [...(earlier?.candidates ?? []), candidate] }, 'unknown'),
    ),
  ];
}

type LateChange = Attributed['changes'][number];
type Undecided = Author & { kind: 'unknown' };

/** Changes that some calls may have made already are told apart from those that none claimed. */
function byEarlierClaim(
  changes: readonly LateChange[],
  claims: ReadonlyMap<ChangeId, Author>,
): ReadonlyMap<Undecided | undefined, readonly LateChange[]> {
  const groups = new Map<Undecided | undefined, LateChange[]>();
  for (const change of changes) {
    const claim = claims.get(change.id);
    const earlier = claim?.kind === 'unknown' ? claim : undefined;
    groups.set(earlier, [...(groups.get(earlier) ?? []), change]);
  }
  return groups;
}

/** File by file, since one look may have found what several calls did. `claims`: what late news said of them before. */
function recentlyUnclaimed(
  log: Log,
  nowMs: number,
): { readonly changes: readonly LateChange[]; readonly claims: ReadonlyMap<ChangeId, Author> } {
  const recent = log.find({ kinds: ['changed', 'attributed'], since: lateSince(log) });
  const claims = new Map<ChangeId, Author>();
  for (const operation of recent) {
    if (operation.kind === 'attributed') for (const { id } of operation.changes) claims.set(id, operation.author);
  }
  const changes = recent
    .toReversed()
    .filter(
      (operation): operation is Operation & Changed =>
        operation.kind === 'changed' && operation.author.kind === 'human' && nowMs - operation.at <= LATE_MS,
    )
    .flatMap(({ seq, files }) => files.map((file, index) => ({ id: changeId(seq, index), file })))
    .filter(({ id }) => claims.get(id)?.kind !== 'agent');
  return { changes, claims };
}

async function isOf(effect: Parameters<typeof explain>[0], file: FileChange, content: ContentStore): Promise<boolean> {
  if (effect === null) return true;
  const [before, after] = await Promise.all([bytesOf(file.before, content), bytesOf(file.after, content)]);
  return before !== 'gone' && after !== 'gone' && explain(effect, before, after, 'ok').kind === 'proven';
}

async function bytesOf(version: FileChange['before'], content: ContentStore): Promise<Uint8Array | null | 'gone'> {
  if (version === null) return null;
  const found = await content.get(version.content);
  return found.ok ? found.value : 'gone';
}

function attributed(changes: Attributed['changes'], author: Author, evidence: Attributed['evidence']): Attributed {
  return { kind: 'attributed', changes, author, evidence };
}
