import { type Checkpoint, countLines, type Outcome, ok } from '@palimpsest/core';
import type { CheckpointDiff, Refusal, Workspace } from '@palimpsest/engine';
import { type CheckpointDifferenceJson, type CheckpointJson, checkpointJson } from '@palimpsest/protocol';
import { PAGE_KEY } from '@palimpsest/protocol/light';
import type { Context } from 'hono';
import type { DaemonState } from '../host/daemon-state.js';
import { type App, serveIn } from './serve-route.js';

export function serveCheckpoints(app: App, { workspaces, transcripts, programs }: DaemonState): void {
  /** What is said in an agent's conversation up to now is known before it is taken back. */
  const caughtUp = async (workspace: Workspace, id: string, mode = 'files') => {
    if (mode === 'files') return;
    const session = (await workspace.checkpoints()).find((saved) => saved.id === id)?.session;
    if (session !== null && session !== undefined) await transcripts.caughtUp(workspace.id, session);
  };

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

  serveIn(app, workspaces, 'planRestore', async ({ workspace }, { params, body }, context) => {
    const { path, ...request } = body;
    programs.learn(isPage(context) ? undefined : path);
    await caughtUp(workspace, params.checkpoint, body.mode);
    const plan = await workspace.planRestore(params.checkpoint, request);
    if (!plan.ok) return plan;
    const { token, checkpoint, mode, writes, deletes, yours, uncovered, incomplete, left, conflicts } = plan.value;
    const told = plan.value.conversation === null ? {} : { conversation: plan.value.conversation };
    return ok({ token, checkpoint, mode, writes, deletes, yours, uncovered, incomplete, left, conflicts, ...told });
  });

  serveIn(app, workspaces, 'restoreCheckpoint', async ({ workspace }, { params, body }, context) => {
    const { path, ...request } = body;
    programs.learn(isPage(context) ? undefined : path);
    await caughtUp(workspace, params.checkpoint, body.mode);
    const done = await workspace.restore(params.checkpoint, request);
    if (!done.ok) return done;
    const { checkpoint, rescue, written, deleted, conflicts, uncovered, incomplete, left, movedOn, seq } = done.value;
    const { conversation, fork } = done.value;
    const told = { ...(conversation === null ? {} : { conversation }), ...(fork === undefined ? {} : { fork }) };
    return ok({ checkpoint, rescue, written, deleted, conflicts, uncovered, incomplete, left, movedOn, seq, ...told });
  });

  serveIn(app, workspaces, 'collectGarbage', ({ workspace }, { body }) => workspace.gc(body));
}

/** A page is let in by its key alone; it must not say which programs are run. */
function isPage(context: Context): boolean {
  return context.req.header(PAGE_KEY) !== undefined;
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
