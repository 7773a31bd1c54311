import { homedir } from 'node:os';
import { join } from 'node:path';
import { farewell, tell } from '../dist/hook/plugin.js';

/** Where the session works. What the host says of it counts, not where its process happens to be. */
let directory = process.cwd();

/** Where it writes the session down; unknown until the host has said which one it is. */
let transcript;

/** The conversations that were spoken of here, each with what names it. */
const conversations = new Map();

const hand = (event, snapshot, payload) => {
  const { agentId, parentAgentId, conversationId, runId } = snapshot;
  const known = { agentId, parentAgentId: parentAgentId ?? undefined, conversationId, runId };
  conversations.set(conversationId, { snapshot: known, directory, transcript });
  return tell('cline', event, { ...payload, snapshot: known, directory, transcript }, directory);
};

// Its way of saying that it exits. A signal that is listened to does not end the process, so that is left to us.
process.once('SIGTERM', () => void leave());

async function leave() {
  await Promise.all([...conversations.values()].map((each) => farewell('cline', 'shutdown', each, each.directory)));
  process.kill(process.pid, 'SIGTERM');
}

export default {
  name: 'palimpsest',
  manifest: { capabilities: ['hooks'] },
  setup(_api, context) {
    directory = context?.workspaceInfo?.rootPath ?? directory;
    transcript = transcriptOf(context?.session?.sessionId);
  },
  hooks: {
    beforeRun: async ({ snapshot }) => {
      const { context } = await hand('beforeRun', snapshot, { prompt: lastPrompt(snapshot.messages ?? []) });
      return context === undefined ? undefined : { appendContext: context };
    },
    beforeTool: async ({ snapshot, toolCall, input }) => {
      const { deny, context } = await hand('beforeTool', snapshot, { toolCall: named(toolCall), input });
      if (deny !== undefined) return { skip: true, reason: deny };
      return context === undefined ? undefined : { appendContext: context };
    },
    afterTool: async ({ snapshot, toolCall, input, result }) => {
      const { context } = await hand('afterTool', snapshot, { toolCall: named(toolCall), input, result });
      return context === undefined ? undefined : { appendContext: context };
    },
    afterRun: async ({ snapshot }) => {
      await hand('afterRun', snapshot, {});
    },
  },
};

function named({ toolCallId, toolName }) {
  return { toolCallId, toolName };
}

function lastPrompt(messages) {
  const last = messages.findLast(({ role }) => role === 'user');
  const parts = Array.isArray(last?.content) ? last.content : [{ type: 'text', text: last?.content }];
  return parts
    .filter(({ type, text }) => type === 'text' && typeof text === 'string')
    .map(({ text }) => text)
    .join('\n');
}

function transcriptOf(session) {
  if (typeof session !== 'string') return undefined;
  const { CLINE_DIR, CLINE_DATA_DIR, CLINE_SESSION_DATA_DIR } = process.env;
  const data = CLINE_DATA_DIR ?? join(CLINE_DIR ?? join(homedir(), '.cline'), 'data');
  return join(CLINE_SESSION_DATA_DIR ?? join(data, 'sessions'), session, `${session}.messages.json`);
}
