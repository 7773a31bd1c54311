// An agent over the official SDK, run as a program of its own. A prompt is a list of things to do, as JSON; the answer to
// it, as a message, is what came of each.
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { agent, ndJsonStream } from '@agentclientprotocol/sdk';

let sessions = 0;

const ACTIONS = {
  update: (client, sessionId, { update }) => client.notify('session/update', { sessionId, update }),
  permission: (client, sessionId, { toolCall }) =>
    client.request('session/request_permission', {
      sessionId,
      toolCall,
      options: [
        { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
      ],
    }),
  write: (client, sessionId, { path, content }) => client.request('fs/write_text_file', { sessionId, path, content }),
  read: (client, sessionId, { path, line, limit }) =>
    client.request('fs/read_text_file', { sessionId, path, line, limit }),
  /** As an agent that needs no editor to write; at once, since nobody has to have heard of it before. */
  save: (_client, _sessionId, { path, content }) => {
    const aside = join(path, '..', '..', `${process.pid}.aside`);
    writeFileSync(aside, content);
    renameSync(aside, path);
  },
};

const app = agent()
  .onRequest('initialize', () => ({
    protocolVersion: 1,
    agentCapabilities: { loadSession: true },
    agentInfo: { name: process.env.AGENT_NAME ?? 'scripted', version: '1' },
  }))
  .onRequest('session/new', () => ({ sessionId: `s-${process.pid}-${++sessions}` }))
  .onRequest('session/prompt', async ({ params, client }) => {
    const { sessionId, prompt } = params;
    const results = [];
    for (const action of JSON.parse(prompt[0].text)) results.push(await outcome(client, sessionId, action));
    const content = { type: 'text', text: JSON.stringify(results) };
    await client.notify('session/update', { sessionId, update: { sessionUpdate: 'agent_message_chunk', content } });
    return { stopReason: 'end_turn' };
  });

const { closed } = app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
await closed;

async function outcome(client, sessionId, action) {
  try {
    return (await ACTIONS[action.kind](client, sessionId, action)) ?? null;
  } catch (error) {
    return { error: error.message };
  }
}
