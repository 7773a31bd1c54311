import { failed, type Outcome, ok, type SessionState } from '@palimpsest/core';
import type { Workspace } from '@palimpsest/engine';
import { countBySession, type KnownRefusal, type SessionJson, sessionJson } from '@palimpsest/protocol';
import type { DaemonState } from '../host/daemon-state.js';
import { type App, serveIn } from './serve-route.js';

export function serveSessions(app: App, { workspaces }: DaemonState): void {
  serveIn(app, workspaces, 'listSessions', async ({ workspace }) => {
    const pending = await workspace.changes({ status: 'pending' });
    if (!pending.ok) return pending;
    const counts = countBySession(pending.value);
    return ok({ sessions: workspace.sessions().map((session) => sessionJson(session, counts.get(session.id) ?? 0)) });
  });

  serveIn(app, workspaces, 'startSession', async (hosted, { body }) => {
    hosted.markWork();
    return told(hosted.workspace, await hosted.workspace.startSession(body));
  });

  serveIn(app, workspaces, 'getSession', async ({ workspace }, { params }) => {
    const session = workspace.session(params.session);
    return told(workspace, session === null ? unknown(params.session) : ok(session));
  });

  serveIn(app, workspaces, 'renameSession', async ({ workspace }, { params, body }) =>
    told(workspace, await workspace.renameSession(params.session, body.title)),
  );

  serveIn(app, workspaces, 'deleteSession', async ({ workspace }, { params }) =>
    told(workspace, await workspace.deleteSession(params.session)),
  );

  serveIn(app, workspaces, 'endSession', async ({ workspace }, { params }) =>
    told(workspace, await workspace.endSession(params.session)),
  );

  serveIn(app, workspaces, 'getNotices', async ({ workspace }, { params }) => {
    if (workspace.session(params.session) === null) return unknown(params.session);
    return ok({ notices: workspace.notices(params.session), seq: workspace.seq });
  });

  serveIn(app, workspaces, 'acknowledge', async ({ workspace }, { params, body }) => {
    const done = await workspace.acknowledge(params.session, body.upTo);
    return done.ok ? ok({ seq: workspace.seq }) : done;
  });
}

function unknown(session: string): Outcome<never, KnownRefusal> {
  return failed({ code: 'unknown-session', session });
}

async function told(
  workspace: Workspace,
  session: Outcome<SessionState, KnownRefusal>,
): Promise<Outcome<{ session: SessionJson }, KnownRefusal>> {
  if (!session.ok) return session;
  // One that was deleted just now is known no more, and may still have some.
  const pending = await workspace.changes({ status: 'pending' });
  if (!pending.ok) return pending;
  const own = pending.value.filter(({ author }) => author.kind === 'agent' && author.session === session.value.id);
  return ok({ session: sessionJson(session.value, own.length) });
}
