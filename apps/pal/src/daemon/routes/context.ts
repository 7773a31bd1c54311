import { ok, unreachable } from '@palimpsest/core';
import type { Workspace } from '@palimpsest/engine';
import { type BodyOf, contextJson, openFileJson, patchJson } from '@palimpsest/protocol';
import type { DaemonState } from '../host/daemon-state.js';
import { type App, serveIn } from './serve-route.js';

/** Open files, the patch ledger, and the context that is made of them. */
export function serveContext(app: App, { workspaces }: DaemonState): void {
  serveIn(app, workspaces, 'listOpenFiles', async ({ workspace }, { query }) => {
    const files = workspace.openFiles.list(query);
    return files.ok ? ok({ files: files.value.map(openFileJson) }) : files;
  });

  serveIn(app, workspaces, 'setOpenFiles', async ({ workspace }, { body }) => {
    const done = await set(workspace, body);
    if (!done.ok) return done;
    const { paths, evicted, beyond, files } = done.value;
    return ok({ paths, evicted, beyond, files: files.map(openFileJson), seq: workspace.seq });
  });

  serveIn(app, workspaces, 'getContext', async ({ workspace }, { body }) => {
    const { deliver, ...request } = body;
    const context = await workspace.context(request);
    if (!context.ok) return context;
    const told = deliver === true ? await workspace.contextDelivered(context.value) : ok(null);
    return told.ok ? ok(contextJson(context.value)) : told;
  });

  serveIn(app, workspaces, 'listPatches', async ({ workspace }, { query }) => {
    const listed = await workspace.patches.list(query);
    return listed.ok ? ok({ patches: listed.value.patches.map(patchJson), beyond: listed.value.beyond }) : listed;
  });

  serveIn(app, workspaces, 'showPatches', async ({ workspace }, { params, query }) => {
    const shown = await workspace.patches.show(params.patch, query);
    if (!shown.ok) return shown;
    return ok({ patches: shown.value.map(({ diff, cut, ...patch }) => ({ ...patchJson(patch), diff, cut })) });
  });

  serveIn(app, workspaces, 'clearPatches', async ({ workspace }, { body }) => {
    const done = await workspace.patches.clear(body);
    return done.ok ? ok({ cleared: done.value.cleared, seq: workspace.seq }) : done;
  });
}

function set({ openFiles }: Workspace, { act, paths = [], session, pins }: BodyOf<'setOpenFiles'>) {
  switch (act) {
    case 'open':
      return openFiles.open(paths, { session });
    case 'pin':
      return openFiles.pin(paths, { session });
    case 'unpin':
      return openFiles.unpin(paths, { session });
    case 'close':
      return openFiles.close(paths, { session });
    case 'clear':
      return openFiles.clear({ session, pins });
    default:
      return unreachable(act);
  }
}
