import { ok } from '@palimpsest/core';
import type {
  AttributeTo,
  BlameLine,
  RejectOptions,
  Selection,
  VerdictAnswer,
  VerdictOptions,
} from '@palimpsest/engine';
import { type BlamedLineJson, candidatesJson, instant } from '@palimpsest/protocol';
import type { DaemonState } from '../host/daemon-state.js';
import { agentsOf, changesOf } from './changes-of.js';
import { type App, serve } from './serve-route.js';

export function serveReview(app: App, { workspaces }: DaemonState): void {
  serve(app, 'accept', ({ params, body }) =>
    workspaces.use(params.workspace!, async ({ workspace }) => {
      const done = await workspace.accept(body as Selection, body as VerdictOptions);
      return done.ok ? ok({ accepted: [...done.value.accepted], ...verdictJson(done.value) }) : done;
    }),
  );

  serve(app, 'reject', ({ params, body }) =>
    workspaces.use(params.workspace!, async ({ workspace }) => {
      const done = await workspace.reject(body as Selection, body as RejectOptions);
      return done.ok ? ok({ rejected: [...done.value.rejected], ...verdictJson(done.value) }) : done;
    }),
  );

  serve(app, 'listConflicts', ({ params }) =>
    workspaces.use(params.workspace!, async ({ workspace }) =>
      ok({ changes: changesOf(workspace, workspace.conflicts()) }),
    ),
  );

  serve(app, 'resolveConflict', ({ params, body }) =>
    workspaces.use(params.workspace!, async ({ workspace }) => {
      const how = 'take' in body ? body : { bytes: Buffer.from(body.base64, 'base64') };
      const done = await workspace.resolve(params.change!, how);
      if (!done.ok) return done;
      const { resolved, cascaded, written, deleted, seq } = done.value;
      return ok({ resolved, cascaded: [...cascaded], written: [...written], deleted: [...deleted], seq });
    }),
  );

  serve(app, 'attribute', ({ params, body }) =>
    workspaces.use(params.workspace!, async ({ workspace }) => {
      const done = await workspace.attribute(params.change!, body as AttributeTo);
      return done.ok ? ok({ change: changesOf(workspace, [done.value.change])[0]!, seq: done.value.seq }) : done;
    }),
  );

  for (const verb of ['undo', 'redo'] as const) {
    serve(app, verb, ({ params, body }) =>
      workspaces.use(params.workspace!, async ({ workspace }) => {
        const done = await workspace[verb](body as { dryRun?: boolean });
        if (!done.ok) return done;
        const { written, deleted, passedOver } = done.value;
        return ok({ ...done.value, written: [...written], deleted: [...deleted], passedOver: [...passedOver] });
      }),
    );
  }

  serve(app, 'blame', ({ params, query }) =>
    workspaces.use(params.workspace!, async ({ workspace }) => {
      const agentOf = agentsOf(workspace);
      const lines = await workspace.blame(query.path);
      return lines.ok ? ok({ lines: lines.value.map((line) => blamedJson(line, agentOf)) }) : lines;
    }),
  );
}

function verdictJson({ cascaded, conflicts, left, written, deleted, seq }: VerdictAnswer) {
  const files = { written: [...written], deleted: [...deleted] };
  return { cascaded: [...cascaded], conflicts: [...conflicts], left: [...left], ...files, seq };
}

function blamedJson(
  { line, text, author, change, at }: BlameLine,
  agentOf: ReturnType<typeof agentsOf>,
): BlamedLineJson {
  const common = { line, text, change, at: at === null ? null : instant(at) };
  if (author.kind === 'human') return { ...common, author };
  if (author.kind === 'unknown') {
    const { candidates } = author;
    const named = candidates === undefined ? {} : { candidates: candidatesJson(candidates, agentOf) };
    return { ...common, author: { kind: 'unknown', ...named } };
  }
  const { kind, session, agent, callId, tool, prompt } = author;
  return { ...common, author: { kind, session, agent, callId, tool, ...(prompt === null ? {} : { prompt }) } };
}
