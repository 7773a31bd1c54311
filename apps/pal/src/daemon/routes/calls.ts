import { type LineRange, ok } from '@palimpsest/core';
import type { Note } from '@palimpsest/engine';
import type { NoteJson } from '@palimpsest/protocol';
import type { DaemonState } from '../host/daemon-state.js';
import { askerOf } from './asker.js';
import { changesOf } from './changes-of.js';
import { type App, serveIn } from './serve-route.js';

export function serveCalls(app: App, { workspaces }: DaemonState): void {
  serveIn(app, workspaces, 'beginCall', async (hosted, { body }, context) => {
    hosted.markWork();
    const { isHeard, deadline } = askerOf(context);
    const began = await hosted.workspace.begin({ ...body, isHeard, runsSince: deadline });
    if (!began.ok) return began;
    const { decision, reason, notices } = began.value;
    return ok({ decision, ...(reason === null ? {} : { reason }), notices });
  });

  serveIn(app, workspaces, 'endCall', async (hosted, { body }) => {
    hosted.markWork();
    const ended = await hosted.workspace.end({ ...body, shown: rangeOf(body.shown) });
    if (!ended.ok) return ended;
    const { changes, perhaps, notices, known } = ended.value;
    const [own, shared] = [changes, perhaps].map((entries) => changesOf(hosted.workspace, entries));
    return ok({ changes: own!, perhaps: shared!, notices, known });
  });

  serveIn(app, workspaces, 'replaceFile', async (hosted, { body: { path, expected, base64 } }) => {
    hosted.markWork();
    const written = await hosted.workspace.replace(path, expected, Buffer.from(base64, 'base64'));
    return written.ok ? ok({ written: [written.value] }) : written;
  });

  serveIn(app, workspaces, 'addNote', async (hosted, { body }) => {
    hosted.markWork();
    const noted = await hosted.workspace.note(noteOf(body));
    return noted.ok ? ok({ notices: noted.value.notices, seq: noted.value.seq }) : noted;
  });
}

function noteOf(body: NoteJson): Note {
  return body.kind === 'read' || body.kind === 'mention' ? { ...body, lines: rangeOf(body.lines) } : body;
}

function rangeOf(lines: readonly [number, number] | undefined): LineRange | undefined {
  return lines && { from: lines[0], to: lines[1] };
}
