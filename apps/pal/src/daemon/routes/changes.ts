import { ok, type ReviewEntry } from '@palimpsest/core';
import type { Workspace } from '@palimpsest/engine';
import { type HunkJson, staleJson } from '@palimpsest/protocol';
import type { Context } from 'hono';
import type { DaemonState } from '../host/daemon-state.js';
import { changesOf } from './changes-of.js';
import { type App, refuse, serveIn, serveRaw } from './serve-route.js';

export function serveChanges(app: App, { workspaces }: DaemonState): void {
  serveIn(app, workspaces, 'listChanges', async ({ workspace }, { query }) => {
    const found = await workspace.changes(query);
    return found.ok ? ok({ changes: changesOf(workspace, found.value) }) : found;
  });

  serveIn(app, workspaces, 'getChange', async ({ workspace }, { params }) => {
    const found = await workspace.change(params.change);
    if (!found.ok) return found;
    const [change] = changesOf(workspace, [found.value]);
    return ok({ change: change!, hunks: await withText(workspace, found.value, change!.hunks) });
  });

  serveRaw(app, 'getPatch', async ({ params }, context) => {
    const patch = await workspaces.use(params.workspace, ({ workspace }) => workspace.patch(params.change));
    return patch.ok ? bytes(context, patch.value, 'text/x-diff') : refuse(context, patch.error);
  });

  serveRaw(app, 'getContent', async ({ params }, context) => {
    const content = await workspaces.use(params.workspace, ({ workspace }) => workspace.content(params.content));
    return content.ok ? bytes(context, content.value, 'application/octet-stream') : refuse(context, content.error);
  });

  serveIn(app, workspaces, 'listStale', async ({ workspace }, { query }) => {
    const files = await workspace.stale(query.session);
    return ok({ files: files.map(staleJson) });
  });
}

function bytes(context: Context, body: Uint8Array, type: string): Response {
  return context.body(body as Uint8Array<ArrayBuffer>, 200, { 'content-type': type });
}

/** Without the text where the bytes are not kept. */
async function withText(workspace: Workspace, { file }: ReviewEntry, hunks: readonly HunkJson[]): Promise<HunkJson[]> {
  if (file.binary || hunks.length === 0) return [...hunks];
  const [before, after] = await Promise.all([linesOf(workspace, file.before), linesOf(workspace, file.after)]);
  if (before === null || after === null) return [...hunks];
  return hunks.map((hunk) => ({
    ...hunk,
    text: `${marked('-', before, hunk.oldStart, hunk.oldLines)}${marked('+', after, hunk.newStart, hunk.newLines)}`,
  }));
}

async function linesOf(
  workspace: Workspace,
  version: ReviewEntry['file']['before'],
): Promise<readonly string[] | null> {
  if (version === null) return [];
  const content = await workspace.content(version.content);
  return content.ok ? textLines(content.value) : null;
}

function textLines(content: Uint8Array): readonly string[] {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(content).split(/(?<=\n)/);
}

function marked(sign: '-' | '+', lines: readonly string[], start: number, count: number): string {
  if (count === 0) return '';
  return lines
    .slice(start - 1, start - 1 + count)
    .map((line) => (line.endsWith('\n') ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`))
    .join('');
}
