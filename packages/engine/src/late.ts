import {
  type Attributed,
  type Author,
  type Changed,
  changeId,
  explain,
  type FileChange,
  type Operation,
} from '@palimpsest/core';
import { type CallPlan, plannedWrite } from './call-plan.js';
import type { ContentStore } from './content/content.js';
import type { Log } from './log/log.js';

/** How far back a call's own changes can lie when the news of it comes late. */
export const LATE_MS = 10_000;
/** Operations looked through for them. */
const LATE_OPERATIONS = 50;

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
  const own: Attributed['changes'][number][] = [];
  const possible: Attributed['changes'][number][] = [];
  for (const operation of recentlyUnclaimed(log, nowMs)) {
    for (const [index, file] of operation.files.entries()) {
      const change = { id: changeId(operation.seq, index), file };
      const planned = plannedWrite(plan, file.path);
      if (planned !== undefined && (await isOf(planned.effect, file, content))) own.push(change);
      else if (plan.opaque) possible.push(change);
    }
  }
  const candidates = [{ session: plan.session, call: plan.call }];
  return [
    ...(own.length === 0 ? [] : [attributed(own, author, 'inferred')]),
    ...(possible.length === 0 ? [] : [attributed(possible, { kind: 'unknown', candidates }, 'unknown')]),
  ];
}

function recentlyUnclaimed(log: Log, nowMs: number): readonly (Operation & Changed)[] {
  const recent = log.find({ newestFirst: true, limit: LATE_OPERATIONS });
  const claimed = new Set(
    recent.flatMap((operation) => (operation.kind === 'attributed' ? operation.changes.map(({ id }) => id) : [])),
  );
  return recent.filter(
    (operation): operation is Operation & Changed =>
      operation.kind === 'changed' &&
      operation.author.kind === 'human' &&
      nowMs - operation.at <= LATE_MS &&
      !operation.files.some((_, index) => claimed.has(changeId(operation.seq, index))),
  );
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
