import { failed, type Outcome, ok } from '@palimpsest/core';
import type { Refusal, Workspace } from '@palimpsest/engine';
import type { DaemonState } from '../host/daemon-state.js';
import { type App, serveIn } from './serve-route.js';

export function serveKeeping(app: App, { workspaces }: DaemonState): void {
  serveIn(app, workspaces, 'forget', async ({ workspace }, { body }) => {
    const { what, text, dryRun = false } = body;
    if ((what === undefined) === (text === undefined))
      return failed<Refusal>({ code: 'bad-input', why: 'either `what` or `text`' });
    return workspace.forget(text === undefined ? { what: what!, dryRun } : { text, dryRun });
  });

  serveIn(app, workspaces, 'exportSession', async ({ workspace }, { params, query }) => {
    if (query.format === 'records') {
      const files = await workspace.exportChangeRecords(params.session);
      return files.ok ? ok({ files: files.value }) : files;
    }
    const file = workspace.exportTaskMetadata(params.session, query.format);
    return file.ok ? ok({ files: [file.value] }) : file;
  });

  serveIn(app, workspaces, 'importSession', ({ workspace }, { params, body }) =>
    take(workspace, params.session, body.files),
  );
}

const TASK_METADATA = 'task_metadata.json';

type Taken = { taken: number; misplaced: string[] };

async function take(
  workspace: Workspace,
  session: string,
  files: readonly { readonly name: string; readonly text: string }[],
): Promise<Outcome<Taken, Refusal>> {
  const taken: Taken = { taken: 0, misplaced: [] };
  for (const { text } of files.filter(({ name }) => name === TASK_METADATA)) {
    const done = await workspace.importTaskMetadata(session, text);
    if (!done.ok) return done;
    taken.taken += done.value.taken;
    taken.misplaced.push(...done.value.misplaced);
  }
  const records = files.filter(({ name }) => name !== TASK_METADATA).map(({ text }) => text);
  if (records.length === 0) return ok(taken);
  const done = await workspace.importChangeRecords(session, records);
  return done.ok
    ? ok({ taken: taken.taken + done.value.taken, misplaced: [...taken.misplaced, ...done.value.misplaced] })
    : done;
}
