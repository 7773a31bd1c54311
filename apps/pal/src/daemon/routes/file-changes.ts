import { failed, type Operation, type Outcome, ok } from '@palimpsest/core';
import type { Workspace } from '@palimpsest/engine';
import { encodeEvent, idOfSegment, type KnownRefusal, LAST_EVENT_ID } from '@palimpsest/protocol';
import type { Context } from 'hono';
import type { DaemonState } from '../host/daemon-state.js';
import type { Frame } from '../host/event-feed.js';
import type { Workspaces } from '../host/workspaces.js';
import { eventStream } from './event-stream.js';
import { fileChangeEvents } from './file-change-events.js';
import { briefRecords, ownBlock, type RecordJson, recordsOf } from './file-records.js';
import { EVENT_HEADERS, sinceOf } from './log.js';
import { type App, refuse } from './serve-route.js';

/**
 * The routes and events of an earlier tracker under their own names, for programs that know those. Sessions are not
 * unique there, so one that several workspaces have needs `?workspace=ID`.
 */
export function serveFileChanges(app: App, { workspaces }: DaemonState): void {
  const served = (work: Work) => async (context: Context) => {
    const records = await inSession(workspaces, context, work);
    return records.ok ? context.json({ file_changes: records.value }) : refuse(context, records.error);
  };

  app.get(
    '/sessions/:session/file-changes',
    served(async (workspace, session) => {
      const changes = await workspace.changes({ session, status: 'all' });
      return changes.ok ? ok(await recordsOf(workspace, changes.value)) : changes;
    }),
  );

  for (const verdict of ['accept', 'reject'] as const) {
    app.post(
      `/sessions/:session/file-changes/${verdict}-all`,
      served((workspace, session) => decide(workspace, session, verdict, { session })),
    );
    app.post(
      `/sessions/:session/file-changes/:call/${verdict}`,
      served(async (workspace, session, call) => {
        const changes = await changesOf(workspace, session, call);
        return changes.ok ? decide(workspace, session, verdict, { changes: changes.value }) : changes;
      }),
    );
  }

  app.get('/sessions/:session/events', async (context) => {
    const session = idOfSegment(context.req.param('session'));
    const found = findSession(workspaces, session, context.req.query('workspace'));
    if (!found.ok) return refuse(context, found.error);
    const entered = await workspaces.enter(found.value);
    if (!entered.ok) return refuse(context, entered.error);
    const { hosted, leave } = entered.value;
    const since = sinceOf(context.req.header(LAST_EVENT_ID)) ?? sinceOf(context.req.query('since'));
    const frame = (one: Frame) => encodedEvents(one, session, hosted.workspace);
    return context.body(eventStream(hosted.feed, { since, frame, onEnd: leave }), 200, EVENT_HEADERS);
  });
}

type Work = (
  workspace: Workspace,
  session: string,
  call: string,
) => Promise<Outcome<readonly RecordJson[], KnownRefusal>>;

async function inSession(workspaces: Workspaces, context: Context, work: Work): ReturnType<Work> {
  const session = idOfSegment(context.req.param('session') ?? '');
  const call = idOfSegment(context.req.param('call') ?? '');
  const found = findSession(workspaces, session, context.req.query('workspace'));
  if (!found.ok) return found;
  return workspaces.use(found.value, async ({ workspace }) => work(workspace, session, call));
}

/** Without a workspace, those that are open are asked. */
function findSession(
  workspaces: Workspaces,
  session: string,
  workspace: string | undefined,
): Outcome<string, KnownRefusal> {
  if (workspace !== undefined) return ok(workspace);
  const having = workspaces.listOpen().filter((hosted) => hosted.workspace.session(session) !== null);
  const ids = having.map((hosted) => hosted.workspace.id);
  if (ids.length > 1) return failed({ code: 'ambiguous-session', session, workspaces: ids });
  return ids[0] === undefined ? failed({ code: 'unknown-session', session }) : ok(ids[0]);
}

/** A record's own id means that record's change; the id of the call means all that the call changed. */
async function changesOf(
  workspace: Workspace,
  session: string,
  call: string,
): Promise<Outcome<readonly string[], KnownRefusal>> {
  const changes = await workspace.changes({ session, status: 'all' });
  if (!changes.ok) return changes;
  const meant = briefRecords(changes.value, workspace.root).filter(
    (record) => record.tool_call_id === call || ownBlock(record).call === call,
  );
  const ids = new Set(meant.map((record) => ownBlock(record).change));
  return ids.size === 0 ? failed({ code: 'unknown-change', change: call }) : ok([...ids]);
}

type Meant = { readonly session: string } | { readonly changes: readonly string[] };

/** Rejecting takes all later changes of the file along, which is that tracker's rule. */
async function decide(
  workspace: Workspace,
  session: string,
  verdict: 'accept' | 'reject',
  meant: Meant,
): ReturnType<Work> {
  const done =
    verdict === 'accept' ? await workspace.accept(meant, {}) : await workspace.reject(meant, { cascade: 'file' });
  if (!done.ok) return done;
  const decided = 'accepted' in done.value ? done.value.accepted : done.value.rejected;
  const touched = new Set<string>([...decided.map(changeOf), ...done.value.cascaded, ...done.value.conflicts]);
  const changes = await workspace.changes({ session, status: 'all' });
  if (!changes.ok) return changes;
  const records = briefRecords(changes.value, workspace.root).filter((record) => touched.has(ownBlock(record).change));
  return ok(
    records.map((record) => {
      const { change } = ownBlock(record);
      const status = changes.value.find((entry) => entry.id === change)?.status;
      return { status, file_path: record.file_path, tool_call_id: record.tool_call_id, palimpsest: { change } };
    }),
  );
}

/** Of a change that was decided in part, the rest is told as its hunks. */
function changeOf(id: string): string {
  return id.split('.').slice(0, 2).join('.');
}

const encoder = new TextEncoder();

function encodedEvents({ seq, operation }: Frame, session: string, workspace: Workspace): Uint8Array | null {
  const operationAt = (at: number): Operation | null => workspace.operations(at - 1, 1)[0] ?? null;
  const events = fileChangeEvents(operation, { session, root: workspace.root, operationAt });
  if (events.length === 0) return null;
  return encoder.encode(
    events.map(({ event, data }) => encodeEvent({ event, data: JSON.stringify(data), id: String(seq) })).join(''),
  );
}
