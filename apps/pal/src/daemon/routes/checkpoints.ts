import { type Checkpoint, countLines, type Outcome, ok } from '@palimpsest/core';
import type { CheckpointDiff, Refusal, RestoreRequest } from '@palimpsest/engine';
import { type CheckpointDifferenceJson, type CheckpointJson, checkpointJson } from '@palimpsest/protocol';
import type { DaemonState } from '../host/daemon-state.js';
import { type App, serve } from './serve-route.js';

export function serveCheckpoints(app: App, { workspaces }: DaemonState): void {
  serve(app, 'saveCheckpoint', ({ params, body }) =>
    workspaces.use(params.workspace!, async ({ workspace }) => one(await workspace.saveCheckpoint(body as object))),
  );

  serve(app, 'listCheckpoints', ({ params, query }) =>
    workspaces.use(params.workspace!, async ({ workspace }) => {
      const saved = await workspace.checkpoints(query as { session?: string });
      return ok({ checkpoints: saved.map(checkpointJson) });
    }),
  );

  serve(app, 'diffCheckpoints', ({ params, query }) =>
    workspaces.use(params.workspace!, async ({ workspace }) => {
      const { to, path } = query;
      const diff = await workspace.checkpointDiff(params.checkpoint!, to ?? 'now', path === undefined ? {} : { path });
      return diff.ok ? ok({ ...diff.value, files: diff.value.files.map(differenceJson) }) : diff;
    }),
  );

  serve(app, 'deleteCheckpoint', ({ params }) =>
    workspaces.use(params.workspace!, async ({ workspace }) =>
      one(await workspace.deleteCheckpoint(params.checkpoint!)),
    ),
  );

  serve(app, 'pinCheckpoint', ({ params, body }) =>
    workspaces.use(params.workspace!, async ({ workspace }) =>
      one(await workspace.pinCheckpoint(params.checkpoint!, body.pinned ? 'pinned' : 'unpinned')),
    ),
  );

  serve(app, 'planRestore', ({ params, body }) =>
    workspaces.use(params.workspace!, async ({ workspace }) => {
      const plan = await workspace.planRestore(params.checkpoint!, body as RestoreRequest);
      if (!plan.ok) return plan;
      const { token, checkpoint, mode, writes, deletes, yours, uncovered, incomplete, left, conflicts } = plan.value;
      return ok({
        ...{ token, checkpoint, mode, writes: [...writes], deletes: [...deletes], yours: [...yours] },
        ...{ uncovered: [...uncovered], incomplete, left: [...left], conflicts: [...conflicts] },
      });
    }),
  );

  serve(app, 'restoreCheckpoint', ({ params, body }) =>
    workspaces.use(params.workspace!, async ({ workspace }) => {
      const done = await workspace.restore(params.checkpoint!, body as RestoreRequest);
      if (!done.ok) return done;
      const { checkpoint, rescue, written, deleted, conflicts, uncovered, incomplete, left, movedOn, seq } = done.value;
      return ok({
        ...{ checkpoint, rescue, written: [...written], deleted: [...deleted], incomplete, seq },
        ...{ conflicts: [...conflicts], uncovered: [...uncovered], left: [...left], movedOn: [...movedOn] },
      });
    }),
  );

  serve(app, 'collectGarbage', ({ params, body }) =>
    workspaces.use(params.workspace!, async ({ workspace }) => {
      const collected = await workspace.gc(body as { dryRun?: boolean });
      return collected.ok ? ok({ ...collected.value, checkpoints: [...collected.value.checkpoints] }) : collected;
    }),
  );
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
    ...(spans === undefined ? {} : countLines(spans)),
  };
}
