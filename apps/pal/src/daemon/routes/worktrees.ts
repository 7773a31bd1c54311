import { type Outcome, ok } from '@palimpsest/core';
import { type KnownRefusal, worktreeJson } from '@palimpsest/protocol';
import type { DaemonState } from '../host/daemon-state.js';
import { type App, serveIn } from './serve-route.js';

export function serveWorktrees(app: App, { workspaces }: DaemonState): void {
  serveIn(app, workspaces, 'listWorktrees', async ({ workspace }) =>
    ok({ worktrees: (await workspace.worktrees.list()).map(worktreeJson) }),
  );

  serveIn(app, workspaces, 'getWorktree', async ({ workspace }, { params }) =>
    told(await workspace.worktrees.show(params.session)),
  );

  serveIn(app, workspaces, 'syncWorktree', async ({ workspace }, { params }) =>
    told(await workspace.worktrees.sync(params.session)),
  );

  serveIn(app, workspaces, 'finishWorktree', async ({ workspace }, { params, body }) =>
    gone(await workspace.worktrees.finish(params.session, body)),
  );

  serveIn(app, workspaces, 'removeWorktree', async ({ workspace }, { params, body }) =>
    gone(await workspace.worktrees.remove(params.session, body)),
  );
}

function told(found: Outcome<Parameters<typeof worktreeJson>[0], KnownRefusal>) {
  return found.ok ? ok({ worktree: worktreeJson(found.value) }) : found;
}

function gone(done: Outcome<{ readonly path: string; readonly checkpoint: string }, KnownRefusal>) {
  return done.ok ? ok({ removed: done.value.path, checkpoint: done.value.checkpoint }) : done;
}
