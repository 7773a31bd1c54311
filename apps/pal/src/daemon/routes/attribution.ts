import { createHash } from 'node:crypto';
import { type AttributedFile, failed, formatGitAiLog, GIT_AI_NOTES, type Outcome, ok } from '@palimpsest/core';
import type { Contribution, Origin, Refusal, Workspace } from '@palimpsest/engine';
import { candidatesJson, instant, type LineAuthorJson } from '@palimpsest/protocol';
import type { DaemonState } from '../host/daemon-state.js';
import { agentsOf } from './changes-of.js';
import { type App, serveIn } from './serve-route.js';
import { statsOf } from './stats.js';

export function serveAttribution(app: App, { workspaces }: DaemonState): void {
  serveIn(app, workspaces, 'blame', async ({ workspace }, { query }) => {
    const told = originJson(workspace);
    const lines = await workspace.blame(query.path);
    if (!lines.ok) return lines;
    const revision = await workspace.revisionOf(query.path);
    if (!revision.ok) return revision;
    const { path, head, isCommitted } = revision.value;
    const blamed = lines.value.map(({ line, text, ...origin }) => ({ line, text, ...told(origin) }));
    return ok({ lines: blamed, path, head, revision: isCommitted ? head : null });
  });

  serveIn(app, workspaces, 'contributions', async ({ workspace }, { query }) => {
    const told = originJson(workspace);
    const found = await workspace.contributions(query.range);
    if (!found.ok) return found;
    const files = ({ files: each }: Contribution) =>
      each.map(({ stretches, whole, ...file }) => ({
        ...file,
        stretches: stretches.map(({ from, to, ...origin }) => ({ from, to, ...told(origin) })),
        whole: whole === null ? null : told(whole),
      }));
    return ok({ contributions: found.value.map((one) => ({ ...one, files: files(one) })) });
  });

  serveIn(app, workspaces, 'writeNotes', ({ workspace }, { body: { range, dryRun = false } }) =>
    writeNotes(workspace, range, dryRun ? 'pretend' : 'do'),
  );

  serveIn(app, workspaces, 'stats', async ({ workspace }) => statsOf(workspace));

  serveIn(app, workspaces, 'listPrompts', async ({ workspace }, { params }) => {
    const prompts = workspace.prompts(params.session);
    return prompts.ok
      ? ok({ prompts: prompts.value.map(({ at, ...prompt }) => ({ ...prompt, at: instant(at) })) })
      : prompts;
  });
}

type Notes = { notes: { commit: string; text: string | null; state: 'written' | 'left' | 'none' }[] };

async function writeNotes(
  workspace: Workspace,
  range: string,
  manner: 'do' | 'pretend',
): Promise<Outcome<Notes, Refusal>> {
  const found = await workspace.contributions(range);
  if (!found.ok) return found;
  const logs = found.value.map(({ commit, base, committedBy, files }) => ({
    commit: commit!,
    text: formatGitAiLog(files as readonly AttributedFile[], { base, human: committedBy, sha256 }),
  }));
  const notes = logs.flatMap(({ commit, text }) => (text === null ? [] : [{ commit, text }]));
  const done = await workspace.attachNotes(GIT_AI_NOTES, notes, manner);
  if (!done.ok) return failed(done.error);
  const { left } = done.value;
  return ok({
    notes: logs.map(({ commit, text }) => ({
      commit,
      text,
      state: text === null ? 'none' : left.includes(commit) ? 'left' : 'written',
    })),
  });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function originJson(workspace: Workspace) {
  const agentOf = agentsOf(workspace);
  return ({ author, change, at }: Origin): { author: LineAuthorJson; change: string | null; at: string | null } => {
    const common = { change, at: at === null ? null : instant(at) };
    if (author.kind === 'human') return { ...common, author };
    if (author.kind === 'unknown') {
      const { candidates } = author;
      const named = candidates === undefined ? {} : { candidates: candidatesJson(candidates, agentOf) };
      return { ...common, author: { kind: 'unknown', ...named } };
    }
    const { kind, session, agent, callId, tool, prompt, model, message } = author;
    const asked = { ...(prompt === null ? {} : { prompt }), ...(message === null ? {} : { message }) };
    const known = { ...asked, ...(model === null ? {} : { model }) };
    return { ...common, author: { kind, session, agent, callId, tool, ...known } };
  };
}
