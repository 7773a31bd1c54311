import { anthropicRequest, ok, openaiMessages, readMessage } from '@palimpsest/core';
import type { KeptMessage, ModelHistory, NewMessage } from '@palimpsest/engine';
import { instant, MESSAGES_DEFAULT, type MessageJson } from '@palimpsest/protocol';
import type { DaemonState } from '../host/daemon-state.js';
import { type App, serveIn } from './serve-route.js';

export function serveConversations(app: App, { workspaces, transcripts }: DaemonState): void {
  serveIn(app, workspaces, 'listMessages', async ({ workspace }, { params, query }) => {
    await transcripts.caughtUp(workspace.id, params.session);
    const limit = query.limit ?? MESSAGES_DEFAULT;
    const found = await workspace.conversations.messages(params.session, { ...query, limit: limit + 1 });
    if (!found.ok) return found;
    const more = found.value.length > limit;
    const messages = query.newest === true ? found.value.slice(-limit) : found.value.slice(0, limit);
    return ok({ messages: messages.map(messageJson), more });
  });

  serveIn(app, workspaces, 'addMessages', async (hosted, { params, body }) => {
    hosted.markWork();
    const { agent, messages } = body;
    const added = await hosted.workspace.conversations.add(params.session, messages as readonly NewMessage[], {
      agent,
    });
    return added.ok ? ok({ messages: added.value.map(messageJson) }) : added;
  });

  serveIn(app, workspaces, 'listBranches', async ({ workspace }, { params }) => {
    const branches = await workspace.conversations.abandoned(params.session);
    return branches.ok ? ok({ branches: branches.value }) : branches;
  });

  serveIn(app, workspaces, 'getTimeline', async ({ workspace }, { params }) => {
    // An agent may have written more of it down than anybody told.
    await transcripts.caughtUp(workspace.id, params.session);
    const entries = await workspace.conversations.timeline(params.session);
    return entries.ok ? ok({ entries: entries.value.map((entry) => ({ ...entry, at: instant(entry.at) })) }) : entries;
  });

  serveIn(app, workspaces, 'search', async ({ workspace }, { query }) => {
    const { text, session, limit } = query;
    const hits = await workspace.conversations.search(text, { session, limit });
    if (!hits.ok) return hits;
    return ok({ hits: hits.value.map(({ seq, at, ...hit }) => ({ id: seq, at: instant(at), ...hit })) });
  });

  serveIn(app, workspaces, 'getHistory', async ({ workspace }, { params, query }) => {
    const history = await workspace.conversations.history(params.session);
    return history.ok ? ok(historyJson(history.value, query.form)) : history;
  });

  serveIn(app, workspaces, 'reduceHistory', ({ workspace }, { params, body }) =>
    workspace.conversations.reduce(params.session, body.budget),
  );

  serveIn(app, workspaces, 'expandHistory', ({ workspace }, { params, body }) =>
    workspace.conversations.expand(params.session, body.since ?? 0),
  );
}

function messageJson({ seq, at, saidAt, json, ...message }: KeptMessage): MessageJson {
  const blocks = json === null ? [] : readMessage(message.form, JSON.parse(json)).blocks;
  return { id: seq, at: instant(saidAt ?? at), json, blocks: [...blocks], ...message } as unknown as MessageJson;
}

function historyJson(history: ModelHistory, form: 'anthropic' | 'openai' | undefined) {
  const { system, messages, tokens, scale, reductions } = history;
  const request = form === 'anthropic' ? anthropicRequest(history) : openaiMessages(history);
  return {
    ...{ system, tokens, reductions, measured: scale.measured },
    messages: messages.map(({ from, message }) => ({ from, role: message.role, blocks: message.blocks })),
    ...(form === undefined ? {} : { request }),
  };
}
