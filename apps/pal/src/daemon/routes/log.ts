import { ok } from '@palimpsest/core';
import { LAST_EVENT_ID, OPERATIONS_DEFAULT, operationJson } from '@palimpsest/protocol';
import type { DaemonState } from '../host/daemon-state.js';
import { eventStream } from './event-stream.js';
import { type App, refuse, serveIn, serveRaw } from './serve-route.js';

export function serveLog(app: App, { workspaces }: DaemonState): void {
  serveIn(app, workspaces, 'listOperations', async ({ workspace }, { query }) => {
    const operations = workspace.operations(query.since ?? 0, query.limit ?? OPERATIONS_DEFAULT);
    return ok({ operations: operations.map(operationJson), seq: workspace.seq });
  });

  serveRaw(app, 'events', async ({ params, query }, context) => {
    const since = sinceOf(context.req.header(LAST_EVENT_ID)) ?? query.since ?? null;
    const entered = await workspaces.enter(params.workspace);
    if (!entered.ok) return refuse(context, entered.error);
    const { hosted, leave } = entered.value;
    return context.body(eventStream(hosted.feed, { since, onEnd: leave }), 200, EVENT_HEADERS);
  });
}

export const EVENT_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8' } as const;

/** What a reader that comes back says it has; null for anything that is not a seq. */
export function sinceOf(lastEventId: string | undefined): number | null {
  return lastEventId !== undefined && /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) : null;
}
