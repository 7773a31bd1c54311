import { exportChanges, failed, type Outcome, ok, type RecordContent, type ReviewEntry } from '@palimpsest/core';
import type { Workspace } from '@palimpsest/engine';
import { encodeEvent, type KnownRefusal, LAST_EVENT_ID } from '@palimpsest/protocol';
import type { Context } from 'hono';
import type { DaemonState } from '../daemon-state.js';
import type { Frame } from '../event-feed.js';
import { eventStream } from '../event-stream.js';
import type { HostedWorkspace } from '../hosted-workspace.js';
import { type App, refuse } from '../serve-route.js';
import type { Workspaces } from '../workspaces.js';
import { fileChangeEvents } from './file-change-events.js';
import { EVENT_HEADERS, sinceOf } from './log.js';

/**
 * The routes and events of an earlier tracker under their own names, for programs that know those. Sessions are not
 * unique there, so one that several workspaces have needs `?workspace=ID`.
 */
export function serveFileChanges(app: App, state: DaemonState): void {
  const { workspaces } = state;

  app.get('/sessions/:session/file-changes', async (context) => {
    const records = await inSession(workspaces, context, async ({ workspace }, session) => {
      const changes = await workspace.changes({ session, status: 'all' });
      return changes.ok ? ok(await recordsOf(workspace, changes.value)) : changes;
    });
    return records.ok ? context.json({ file_changes: records.value }) : refuse(context, records.error);
  });

  app.get('/sessions/:session/events', async (context) => {
    const session = context.req.param('session');
    const found = await findSession(workspaces, session, context.req.query('workspace'));
    if (!found.ok) return refuse(context, found.error);
    const entered = await workspaces.enter(found.value);
    if (!entered.ok) return refuse(context, entered.error);
    const { hosted, leave } = entered.value;
    const since = sinceOf(context.req.header(LAST_EVENT_ID)) ?? sinceOf(context.req.query('since'));
    const frame = (one: Frame) => encodedEvents(one, session, hosted.workspace.root);
    return context.body(eventStream(hosted.feed, { since, frame, onEnd: leave }), 200, EVENT_HEADERS);
  });

  for (const path of VERDICT_PATHS) {
    app.post(path, (context) => refuse(context, { code: 'not-available', what: 'accepting and rejecting' }));
  }
}

/** Where verdicts will be given once the engine takes them; the answers are then `file_change_status` shapes. */
const VERDICT_PATHS = [
  '/sessions/:session/file-changes/accept-all',
  '/sessions/:session/file-changes/reject-all',
  '/sessions/:session/file-changes/:call/accept',
  '/sessions/:session/file-changes/:call/reject',
] as const;

async function inSession<T>(
  workspaces: Workspaces,
  context: Context,
  work: (hosted: HostedWorkspace, session: string) => Promise<Outcome<T, KnownRefusal>>,
): Promise<Outcome<T, KnownRefusal>> {
  const session = context.req.param('session')!;
  const found = await findSession(workspaces, session, context.req.query('workspace'));
  return found.ok ? workspaces.use(found.value, (hosted) => work(hosted, session)) : found;
}

/** Without a workspace, those that are open are asked. */
async function findSession(
  workspaces: Workspaces,
  session: string,
  workspace: string | undefined,
): Promise<Outcome<string, KnownRefusal>> {
  if (workspace !== undefined) return ok(workspace);
  const having = workspaces.listOpen().filter((hosted) => hosted.workspace.session(session) !== null);
  const ids = having.map((hosted) => hosted.workspace.id);
  if (ids.length > 1) return failed({ code: 'ambiguous-session', session, workspaces: ids });
  return ids[0] === undefined ? failed({ code: 'unknown-session', session }) : ok(ids[0]);
}

async function recordsOf(workspace: Workspace, entries: readonly ReviewEntry[]): Promise<readonly unknown[]> {
  const exported = await Promise.all(
    entries.map(async (entry) => ({
      id: entry.id,
      file: entry.file,
      author: entry.author,
      at: entry.at,
      ...(entry.agentId === null ? {} : { agentId: entry.agentId }),
      ...(entry.messageIndex === null ? {} : { messageIndex: entry.messageIndex }),
      status: entry.status,
      before: await contentOf(workspace, entry.file.before),
      after: await contentOf(workspace, entry.file.after),
    })),
  );
  return exportChanges(exported, workspace.root).map(({ extra, base64_fields, ...record }) => ({
    ...record,
    ...(base64_fields.length > 0 ? { base64_fields } : {}),
    ...extra,
  }));
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

async function contentOf(workspace: Workspace, version: ReviewEntry['file']['before']): Promise<RecordContent | null> {
  if (version === null) return null;
  const content = await workspace.content(version.content);
  if (!content.ok) return { kind: 'missing' };
  try {
    return { kind: 'text', text: utf8.decode(content.value) };
  } catch {
    return { kind: 'base64', base64: Buffer.from(content.value).toString('base64') };
  }
}

const encoder = new TextEncoder();

function encodedEvents({ seq, operation }: Frame, session: string, root: string): Uint8Array | null {
  const events = fileChangeEvents(operation, session, root);
  if (events.length === 0) return null;
  return encoder.encode(
    events.map(({ event, data }) => encodeEvent({ event, data: JSON.stringify(data), id: String(seq) })).join(''),
  );
}
