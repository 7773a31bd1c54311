import {
  type Attributed,
  type Author,
  type Candidate,
  type ChangeId,
  callsOf,
  changeId,
  type Evidence,
  explain,
  type FileChange,
  isCandidate,
  laterAuthors,
  type Operation,
  type PlaceId,
  placeOf,
  type Seq,
  type WorkspacePath,
} from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import type { Log } from '../log/log.js';
import { type CallPlan, plannedWrite } from './call-plan.js';

/** How far back a call's own changes can lie when nothing says since when it may have been running. */
export const LATE_MS = 10_000;
/** Operations read at a time on the way back. */
const PAGE = 100;

/**
 * News of a call may come after it ran; what it did then stands in the log as somebody else's. What its input proves to
 * be the call's is given to it as `inferred`; what it merely may have written, or is only predicted to have, becomes
 * `unknown` with the call as candidate, because a human may have written it as well. `since`: from when on it may have run.
 */
export async function attributeLate(
  plan: CallPlan,
  log: Log,
  content: ContentStore,
  since: number,
  place: PlaceId | null,
): Promise<readonly Attributed[]> {
  const author: Author = { kind: 'agent', session: plan.session, agent: plan.agent, call: plan.call, tool: plan.tool };
  const own: Recent[] = [];
  let possible: Recent[] = [];
  const recent = recentChanges(log, since, place);
  const around: Around = {
    content,
    isNamed: (author, path) => isNamedBy(author, path, log),
    wasAt: (from) => recent.findLast(({ file }) => file.path === from && file.after === null)?.file.before ?? null,
  };
  for (const change of recent) {
    const claim = await claimOf(plan, change, around);
    if (claim === 'own') own.push(change);
    if (claim === 'possible') possible.push(change);
    // A tool that does one thing to a file did not do anything to it before.
    const isFound = claim === 'own' || isBy(change.author, plan);
    if (isFound && !plan.opaque) possible = possible.filter(({ file }) => file.path !== change.file.path);
  }
  return [
    ...(own.length === 0 ? [] : [attributed(own, author, 'inferred')]),
    ...byAuthor(possible).map((some) => attributed(some, withCandidate(some[0]!.author, plan), 'unknown')),
  ].map((body) => (place === null ? body : { ...body, place }));
}

type Recent = {
  readonly id: ChangeId;
  readonly file: FileChange;
  readonly author: Author;
  readonly evidence: Evidence;
};

/** What a change is weighed with. `wasAt`: what was taken away from a path last. */
type Around = {
  readonly content: ContentStore;
  readonly isNamed: (author: Candidate, path: WorkspacePath) => boolean;
  readonly wasAt: (path: WorkspacePath) => FileChange['before'];
};

/** Changes that some calls may have made already are told apart from those that none claimed. */
function byAuthor(changes: readonly Recent[]): readonly (readonly Recent[])[] {
  const groups = new Map<string, Recent[]>();
  for (const change of changes) {
    const key = JSON.stringify(change.author);
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  return [...groups.values()];
}

/** Whoever was known to be an agent is one still. */
function withCandidate(author: Author, { session, call }: CallPlan): Author {
  const earlier = callsOf(author).map((one) => ({ session: one.session, call: one.call }));
  const candidates = [...earlier, { session, call }];
  const isAgents = author.kind === 'agent' || (author.kind === 'unknown' && author.among === 'agents');
  return { kind: 'unknown', candidates, ...(isAgents ? { among: 'agents' } : {}) };
}

/** What was recorded since, oldest first: file by file, since one look may have found what several calls did. */
function recentChanges(log: Log, since: number, place: PlaceId | null): readonly Recent[] {
  const recent: Operation[] = [];
  for (let before: Seq | undefined; ; ) {
    const kinds = ['changed', 'attributed', 'undone'] as const;
    const page = log.find({ kinds, newestFirst: true, limit: PAGE, ...(before === undefined ? {} : { before }) });
    const young = page.filter(({ at }) => at >= since);
    recent.push(...young);
    if (young.length < PAGE) break;
    before = page.at(-1)!.seq;
  }
  recent.reverse();
  const later = laterAuthors(recent);
  return recent.flatMap((operation) => {
    if (operation.kind !== 'changed' || placeOf(operation) !== place) return [];
    return operation.files.map((file, index): Recent => {
      const id = changeId(operation.seq, index);
      const author = later.get(id);
      return author === undefined
        ? { id, file, author: operation.author, evidence: operation.evidence }
        : { id, file, author, evidence: author.kind === 'agent' ? 'inferred' : 'unknown' };
    });
  });
}

/**
 * What was found to be another call's, by its bytes or afterwards, stays that call's. What a command was only there for may
 * be the late one's that names the file, unless the command named it too.
 */
async function claimOf(
  plan: CallPlan,
  change: Recent,
  { content, isNamed, wasAt }: Around,
): Promise<'own' | 'possible' | 'none'> {
  const { author, evidence, file } = change;
  if (author.kind === 'agent' && evidence !== 'window') return 'none';
  const planned = plannedWrite(plan, file.path);
  // Seen only now, and judged with this call in mind already.
  if (isCandidate(author, plan)) return 'none';
  const isFree = author.kind !== 'agent';
  // It may have written the file under the name that it had then, and did not give it the other one.
  const isNamedBefore = file.fromPath !== undefined && plannedWrite(plan, file.fromPath) !== undefined;
  if (planned === undefined) return isFree && (plan.opaque || isNamedBefore) ? 'possible' : 'none';
  // A prediction without the bytes proves nothing: a person may have written the same file a moment before.
  if (planned.effect === null) return author.kind !== 'agent' || !isNamed(author, file.path) ? 'possible' : 'none';
  // One that moved a file and wrote it anew left nothing by which the two names would be one change.
  const found = file.before ?? (planned.from === null ? null : wasAt(planned.from));
  const [before, after] = await Promise.all([bytesOf(found, content), bytesOf(file.after, content)]);
  if (before === 'gone' || after === 'gone') return isFree ? 'possible' : 'none';
  const { kind } = explain(planned.effect, before, after, 'running');
  if (kind === 'proven') return 'own';
  return isFree && (kind !== 'foreign' || plan.opaque) ? 'possible' : 'none';
}

function isNamedBy({ session, call }: Candidate, path: WorkspacePath, log: Log): boolean {
  const [began] = log.find({ session, call, kinds: ['call-began'], newestFirst: true, limit: 1 });
  return began?.kind === 'call-began' && began.names.includes(path);
}

function isBy(author: Author, { session, call }: CallPlan): boolean {
  return author.kind === 'agent' && author.session === session && author.call === call;
}

async function bytesOf(version: FileChange['before'], content: ContentStore): Promise<Uint8Array | null | 'gone'> {
  if (version === null) return null;
  const found = await content.get(version.content);
  return found.ok ? found.value : 'gone';
}

function attributed(changes: readonly Recent[], author: Author, evidence: Evidence): Attributed {
  return { kind: 'attributed', changes: changes.map(({ id, file }) => ({ id, file })), author, evidence };
}
