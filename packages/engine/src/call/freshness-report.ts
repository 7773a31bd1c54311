import {
  type ContentId,
  coversAll,
  type FreshnessState,
  freshnessOf,
  intersectRanges,
  LAST_LINE,
  type LineRange,
  lineCount,
  type Seen,
  type SessionId,
  type WorkspacePath,
} from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import type { FileState } from '../log/log.js';
import type { KnownTree } from '../store/known-tree.js';
import type { Views } from '../store/views.js';
import { presentSight } from './present-sight.js';

export type FreshnessReport = {
  readonly session: SessionId;
  readonly path: WorkspacePath;
  readonly state: FreshnessState;
  /** What the last interaction left it with; `lines` null for all of them. */
  readonly seen: { readonly content: ContentId; readonly at: number; readonly lines: readonly LineRange[] | null };
  /** What is there, and which lines of it the session has seen as they are. */
  readonly now: { readonly content: ContentId; readonly lines: readonly LineRange[] | null } | null;
  readonly visible: boolean;
};

type Store = Pick<ContentStore, 'get'>;

/** Of one session, or of all that are active: what a session saw matters while it can still act on it. */
export async function freshnessReports(
  session: string | undefined,
  { sessions, freshness }: Views,
  knownOf: (session: SessionId) => KnownTree,
  store: Store,
): Promise<readonly FreshnessReport[]> {
  const isActive = (id: SessionId) => sessions.sessions.get(id)?.state === 'active';
  const wanted = [...freshness.sessions].filter(([id]) => (session === undefined ? isActive(id) : id === session));
  const reports: FreshnessReport[] = [];
  for (const [id, { seen }] of wanted)
    for (const [path, record] of seen)
      reports.push(await freshnessReport({ session: id, path }, record, knownOf(id).get(path), store));
  return reports;
}

/** What a session saw of a file, what is there now, and which lines of that it has seen as they are. */
async function freshnessReport(
  about: { readonly session: SessionId; readonly path: WorkspacePath },
  seen: Seen,
  present: FileState | null,
  store: Store,
): Promise<FreshnessReport> {
  const { last, at, visible } = seen;
  return {
    ...about,
    state: freshnessOf(seen, present ?? 'absent'),
    seen: { content: last.content, at, lines: await withinText(last.lines, last.content, store) },
    now: present === null ? null : await nowOf(seen, present.content, store),
    visible,
  };
}

async function nowOf(seen: Seen, content: ContentId, store: Store): Promise<FreshnessReport['now']> {
  const { lines } = await presentSight(seen, content, store);
  return { content, lines: await withinText(lines, content, store) };
}

/** Null for all lines. A range that goes on to the end is told with the number of the last line. */
async function withinText(
  lines: readonly LineRange[],
  content: ContentId,
  store: Store,
): Promise<readonly LineRange[] | null> {
  if (coversAll(lines)) return null;
  if (lines.at(-1)?.to !== LAST_LINE) return lines;
  const found = await store.get(content);
  return found.ok ? intersectRanges(lines, [{ from: 1, to: lineCount(found.value) }]) : lines;
}
