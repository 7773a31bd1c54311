import { ok } from '@palimpsest/core';
import type { SettingsJson } from '@palimpsest/protocol';
import type { DaemonState } from '../host/daemon-state.js';
import { type App, serve } from './serve-route.js';

export function serveSettings(app: App, { workspaces }: DaemonState): void {
  serve(app, 'getSettings', async ({ params }) => workspaces.settings(params.workspace));

  serve(app, 'changeSettings', async ({ params, body }) => {
    const known = workspaces.settings(params.workspace);
    if (!known.ok) return known;
    const gone = new Set(body.unset ?? []);
    const merged = { ...known.value.set, ...body.set } as SettingsJson;
    const set = Object.fromEntries(Object.entries(merged).filter(([name]) => !gone.has(name))) as SettingsJson;
    await workspaces.change(params.workspace, set);
    const now = workspaces.settings(params.workspace);
    return now.ok ? ok(now.value) : now;
  });
}
