import { ok } from '@palimpsest/core';
import { asFailure } from '../../failure.js';
import { locate, replaceFile } from '../../mcp/file-door.js';
import { REPLACE_ROUTE, ReplaceBody } from '../../mcp/replace-route.js';
import type { DaemonState } from '../daemon-state.js';
import { type App, refuse } from '../serve-route.js';

/** Where the guarded tools write. All of them do it here, one after the other, so that none writes over another. */
export function serveReplace(app: App, { workspaces }: DaemonState): void {
  let turn: Promise<unknown> = Promise.resolve();
  app.post(REPLACE_ROUTE, async (context) => {
    const asked = ReplaceBody.safeParse(await context.req.json());
    if (!asked.success) return refuse(context, { code: 'bad-input', why: asked.error.message });
    const found = await workspaces.use(context.req.param('workspace'), async ({ workspace }) => ok(workspace.root));
    if (!found.ok) return refuse(context, found.error);
    const { path, expected, next } = asked.data;
    const mine = turn.then(() =>
      replaceFile(found.value, locate(found.value, path), expected, Buffer.from(next, 'base64')),
    );
    turn = mine.catch(() => undefined);
    try {
      await mine;
      return context.json({ written: [path] });
    } catch (error) {
      return context.json(asFailure(error).toJSON(), 409);
    }
  });
}
