import { createHash } from 'node:crypto';
import {
  decodeUtf8,
  encodeUtf8,
  failed,
  HISTORY_ITEM_FILE,
  HUMAN_FILE,
  LEGACY_FILE,
  MODEL_FILE,
  type Outcome,
  ok,
  TASK_METADATA_FILE,
} from '@palimpsest/core';
import type { FolderFile, Refusal, Workspace } from '@palimpsest/engine';
import type { AnswerOf } from '@palimpsest/protocol';
import type { DaemonState } from '../host/daemon-state.js';
import { type App, serveIn } from './serve-route.js';
import { readTaskFolder } from './task-folder.js';

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
    const task = await workspace.exportTask(params.session, query.format);
    if (!task.ok) return task;
    const { files, legacy } = task.value;
    return ok({ files: files.map(fileJson), legacy: legacy === null ? null : contentIdOf(legacy) });
  });

  serveIn(app, workspaces, 'importSession', async ({ workspace }, { params, body }) => {
    const { files, folder } = body;
    if ((files === undefined) === (folder === undefined))
      return failed<Refusal>({ code: 'bad-input', why: 'either `files` or `folder`' });
    const given = folder === undefined ? ok(files!.map(bytesOf)) : readTaskFolder(folder);
    return given.ok ? take(workspace, params.session, given.value) : given;
  });
}

type Taken = AnswerOf<'importSession'>;

/** A folder with a file of a task is one; any other JSON file is a change. */
async function take(
  workspace: Workspace,
  session: string,
  files: readonly FolderFile[],
): Promise<Outcome<Taken, Refusal>> {
  if (files.length === 0) return failed({ code: 'bad-input', why: 'there is no file of a session in it' });
  const isTask = files.some(({ name }) => TASK_FILES.has(name));
  const [only] = files;
  if (files.length === 1 && only!.name === TASK_METADATA_FILE) {
    const done = await workspace.importTaskMetadata(session, textIn(only!));
    return done.ok ? ok({ taken: done.value.taken, misplaced: [...done.value.misplaced] }) : done;
  }
  if (isTask) {
    const done = await workspace.importTask(session, files);
    if (!done.ok) return done;
    const { messages, known, facts, misplaced, damaged } = done.value;
    return ok({ taken: facts, misplaced: [...misplaced], messages, known, damaged: [...damaged] });
  }
  const records = files.filter(({ name }) => name.endsWith('.json')).map(textIn);
  const done = await workspace.importChangeRecords(session, records);
  return done.ok ? ok({ taken: done.value.taken, misplaced: [...done.value.misplaced] }) : done;
}

const TASK_FILES: ReadonlySet<string> = new Set([
  ...[MODEL_FILE, HUMAN_FILE, LEGACY_FILE, HISTORY_ITEM_FILE, TASK_METADATA_FILE],
]);

type FileJson = { readonly name: string; readonly text: string; readonly base64?: string | undefined };

function fileJson({ name, bytes }: FolderFile) {
  const text = decodeUtf8(bytes);
  return text === null ? { name, text: '', base64: Buffer.from(bytes).toString('base64') } : { name, text };
}

function bytesOf({ name, text, base64 }: FileJson): FolderFile {
  return { name, bytes: base64 === undefined ? encodeUtf8(text) : Buffer.from(base64, 'base64') };
}

function textIn({ bytes }: FolderFile): string {
  return Buffer.from(bytes).toString('utf8');
}

/** As git names them, so that whoever wrote the file can compare. */
function contentIdOf(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
