import { ok } from '@palimpsest/core';
import type { WorkspaceStatus } from '@palimpsest/engine';
import { countBySession, instant, PROTOCOL_VERSION, sessionJson } from '@palimpsest/protocol';
import type { DaemonState } from '../host/daemon-state.js';
import { ENTER } from '../host/page-address.js';
import type { UnreadTranscript } from '../transcripts/transcripts.js';
import { type App, serve, serveIn } from './serve-route.js';

export function serveDaemon(app: App, state: DaemonState): void {
  const { workspaces } = state;

  serve(app, 'health', async () =>
    ok({
      status: state.stopping ? 'stopping' : 'ok',
      pid: state.pid,
      version: state.version,
      protocol: PROTOCOL_VERSION,
      startedAt: instant(state.startedAt),
    }),
  );

  serve(app, 'shutdown', async () => {
    state.stop();
    return ok({ stopping: true });
  });

  serve(app, 'makePageCode', async ({ body }) => {
    const to = body.workspace === undefined ? '' : `&to=${encodeURIComponent(`/w/${body.workspace}`)}`;
    return ok({ url: `http://127.0.0.1:${state.port}${ENTER}?code=${state.pages.makeCode()}${to}` });
  });

  serve(app, 'listWorkspaces', async () => {
    const known = await Promise.all(workspaces.known().map((one) => workspaces.facts(one)));
    return ok({ workspaces: known });
  });

  serve(app, 'forgetWorkspace', async ({ params, body }) => {
    const forgotten = await workspaces.forget(params.workspace, body.dryRun === true ? 'dry-run' : 'done');
    return forgotten.ok ? ok({ workspace: forgotten.value }) : forgotten;
  });

  serve(app, 'openWorkspace', async ({ body }) => {
    const found = workspaces.find(body.root, body.exact === true ? 'exact' : 'enclosing');
    if (!found.ok) return found;
    const opened = await workspaces.open(found.value);
    return opened.ok ? ok({ workspace: { ...found.value, open: true } }) : opened;
  });

  serveIn(app, workspaces, 'status', async ({ workspace }) => {
    // Looking for stale files looks at the world, so that the rest of the status is of the same moment.
    const stale = await workspace.stale();
    const [status, pending] = await Promise.all([workspace.status(), workspace.changes({ status: 'pending' })]);
    if (!pending.ok) return pending;
    const counts = countBySession(pending.value);
    const { id, root, git, head, openCalls, lingering, coverage, remarks, ...rest } = status;
    return ok({
      ...rest,
      workspace: { id, root, git, head },
      daemon: { pid: state.pid, version: state.version },
      sessions: workspace.sessions().map((session) => sessionJson(session, counts.get(session.id) ?? 0)),
      stale: stale
        .filter((report) => report.state !== 'fresh')
        .map(({ session, path, state: freshness }) => ({ session, path, state: freshness })),
      coverage: { ...coverage, uncovered: coverage.uncovered.map(({ path, reason }) => ({ path, reason })) },
      openCalls: openCalls.map(callName),
      lingering: lingering.map(callName),
      remarks: [...remarks, ...state.transcripts.troubles(id).map(unreadRemark)],
    });
  });
}

function callName({ session, call, tool }: WorkspaceStatus['openCalls'][number]) {
  return { session, callId: call, tool };
}

function unreadRemark({ agent, session, transcript, why }: UnreadTranscript): string {
  return `what ${agent} wrote down of session ${session} cannot be read: ${why} (${transcript})`;
}
