import { ok } from '@palimpsest/core';
import type { Told, VerdictAnswer } from '@palimpsest/engine';
import { type DecisionJson, flowConflictJson, instant } from '@palimpsest/protocol';
import type { DaemonState } from '../host/daemon-state.js';
import { changesOf } from './changes-of.js';
import { type App, serveIn } from './serve-route.js';

export function serveReview(app: App, { workspaces }: DaemonState): void {
  serveIn(app, workspaces, 'accept', async ({ workspace }, { body }) => {
    const done = await workspace.accept(body, body);
    return done.ok ? ok({ accepted: done.value.accepted, ...verdictJson(done.value) }) : done;
  });

  serveIn(app, workspaces, 'reject', async ({ workspace }, { body }) => {
    const done = await workspace.reject(body, body);
    return done.ok ? ok({ rejected: done.value.rejected, ...verdictJson(done.value) }) : done;
  });

  serveIn(app, workspaces, 'comment', async ({ workspace }, { body }) => workspace.comment(body.comments));

  serveIn(app, workspaces, 'listConflicts', async ({ workspace }) =>
    ok({
      changes: changesOf(workspace, workspace.conflicts()),
      flows: workspace.worktrees.conflicts().map(flowConflictJson),
    }),
  );

  serveIn(app, workspaces, 'resolveConflict', async ({ workspace }, { params, body }) => {
    const how =
      'take' in body
        ? { take: body.take === 'mine' ? ('ours' as const) : body.take }
        : { bytes: Buffer.from(body.base64, 'base64') };
    if (params.change.startsWith('f')) {
      const settled = await workspace.worktrees.resolve(params.change, how, { dryRun: body.dryRun });
      if (!settled.ok) return settled;
      const { id, path } = settled.value;
      return ok({ resolved: id, path, cascaded: [], written: [path], deleted: [], seq: workspace.seq });
    }
    const done = await workspace.resolve(params.change, how, { dryRun: body.dryRun });
    if (!done.ok) return done;
    const { resolved, path, cascaded, written, deleted, seq } = done.value;
    return ok({ resolved, path, cascaded, written, deleted, seq });
  });

  serveIn(app, workspaces, 'attribute', async ({ workspace }, { params, body }) => {
    const done = await workspace.attribute(params.change, body);
    return done.ok ? ok({ change: changesOf(workspace, [done.value.change])[0]!, seq: done.value.seq }) : done;
  });

  for (const verb of ['undo', 'redo'] as const) {
    serveIn(app, workspaces, verb, async ({ workspace }, { body }) => {
      const done = await workspace[verb](body);
      return done.ok ? ok({ ...done.value, decision: decisionJson(done.value.decision) }) : done;
    });
  }
}

function decisionJson(told: Told | null): DecisionJson | null {
  return told === null ? null : { ...told, ids: [...told.ids], paths: [...told.paths], at: instant(told.at) };
}

function verdictJson({ already, cascaded, conflicts, left, paths, written, deleted, seq }: VerdictAnswer) {
  return { already, cascaded, conflicts, left, paths, written, deleted, seq };
}
