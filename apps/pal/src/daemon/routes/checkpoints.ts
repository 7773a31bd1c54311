import { type Checkpoint, countLines, type Outcome, ok } from '@palimpsest/core';
import type { CheckpointDiff, Refusal } from '@palimpsest/engine';
import { type CheckpointDifferenceJson, type CheckpointJson, checkpointJson } from '@palimpsest/protocol';
import type { DaemonState } from '../host/daemon-state.js';
import { type App, serveIn } from './serve-route.js';

export function serveCheckpoints(app: App, { workspaces }: DaemonState): void {
  serveIn(app, workspaces, 'saveCheckpoint', async ({ workspace }, { body }) =>
    one(await workspace.saveCheckpoint(body)),
  );

  serveIn(app, workspaces, 'listCheckpoints', async ({ workspace }, { query }) => {
    const saved = await workspace.checkpoints(query);
    return ok({ checkpoints: saved.map(checkpointJson) });
  });

  serveIn(app, workspaces, 'diffCheckpoints', async ({ workspace }, { params, query }) => {
    const { to, path } = query;
    const diff = await workspace.checkpointDiff(params.checkpoint, to ?? 'now', { path });
    return diff.ok ? ok({ ...diff.value, files: diff.value.files.map(differenceJson) }) : diff;
  });

  serveIn(app, workspaces, 'deleteCheckpoint', async ({ workspace }, { params }) =>
    one(await workspace.deleteCheckpoint(params.checkpoint)),
  );

  serveIn(app, workspaces, 'pinCheckpoint', async ({ workspace }, { params, body }) =>
    one(await workspace.pinCheckpoint(params.checkpoint, body.pinned ? 'pinned' : 'unpinned')),
  );

  serveIn(app, workspaces, 'planRestore', async ({ workspace }, { params, body }) => {
    const plan = await workspace.planRestore(params.checkpoint, body);
    if (!plan.ok) return plan;
    const { token, checkpoint, mode, writes, deletes, yours, uncovered, incomplete, left, conflicts } = plan.value;
    return ok({ token, checkpoint, mode, writes, deletes, yours, uncovered, incomplete, left, conflicts });
  });

  serveIn(app, workspaces, 'restoreCheckpoint', async ({ workspace }, { params, body }) => {
    const done = await workspace.restore(params.checkpoint, body);
    if (!done.ok) return done;
    const { checkpoint, rescue, written, deleted, conflicts, uncovered, incomplete, left, movedOn, seq } = done.value;
    return ok({ checkpoint, rescue, written, deleted, conflicts, uncovered, incomplete, left, movedOn, seq });
  });

  serveIn(app, workspaces, 'collectGarbage', ({ workspace }, { body }) => workspace.gc(body));
}

function one(saved: Outcome<Checkpoint, Refusal>): Outcome<{ checkpoint: CheckpointJson }, Refusal> {
  return saved.ok ? ok({ checkpoint: checkpointJson(saved.value) }) : saved;
}

function differenceJson(difference: CheckpointDiff['files'][number]): CheckpointDifferenceJson {
  const { path, fromPath, kind, before, after, binary, spans } = difference;
  return {
    path,
    ...(fromPath === undefined ? {} : { fromPath }),
    ...{ kind, before, after },
    ...(binary === undefined ? {} : { binary }),
    ...(spans === undefined ? {} : { ...countLines(spans), hunks: [...spans] }),
  };
}
