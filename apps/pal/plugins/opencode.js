import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { farewell, tell } from '../dist/hook/plugin.js';

/** opencode: a throw before a tool denies the call; a throw after it would call a done edit an error, so there is none. */
export const Palimpsest = async ({ directory }) => {
  // Started by the daemon itself, which waits for it.
  if (process.env.PALIMPSEST_SILENT === '1') return {};
  /** What the model should hear during the turn that is running, by session. */
  const contexts = new Map();
  const sessions = new Set();
  const transcript = database();
  const hand = (event, input, output) => tell('opencode', event, { input, output, directory, transcript }, directory);
  return {
    event: async ({ event }) => {
      const { type, properties } = event;
      if (type === 'session.idle') contexts.delete(properties.sessionID);
      if (EVENTS.has(type) || isFailure(event)) await hand('event', { event });
    },
    'chat.message': async (input, output) => {
      const { sessionID } = input;
      sessions.add(sessionID);
      const { context } = await hand('chat.message', { sessionID }, { message: output.message, parts: output.parts });
      if (context === undefined) contexts.delete(sessionID);
      else contexts.set(sessionID, context);
    },
    // Kept for the whole turn: a system text that comes and goes would spoil the cache of everything after it.
    'experimental.chat.system.transform': async ({ sessionID }, { system }) => {
      if (contexts.has(sessionID)) system.push(contexts.get(sessionID));
    },
    'tool.execute.before': async (input, output) => {
      const { deny } = await hand('tool.execute.before', input, { args: output.args });
      if (deny !== undefined) throw new Error(deny);
    },
    'tool.execute.after': async (input, output) => {
      const shown = { output: output?.output, content: output?.content };
      const { context } = await hand('tool.execute.after', input, shown);
      if (context === undefined) return;
      if (typeof output.output === 'string') output.output += `\n\n${context}`;
      else if (Array.isArray(output.content)) output.content.push({ type: 'text', text: context });
    },
    dispose: async () => {
      const over = [...sessions].map((sessionID) => ({ input: { sessionID }, directory, transcript }));
      await Promise.all(over.map((each) => farewell('opencode', 'dispose', each, directory)));
    },
  };
};

const EVENTS = new Set(['session.created', 'session.deleted', 'session.idle', 'session.compacted']);

/** A tool that failed has no `after`; this is how it is heard of. */
function isFailure({ type, properties }) {
  const part = properties?.part;
  return type === 'message.part.updated' && part?.type === 'tool' && part.state?.status === 'error';
}

/** Where its sessions are: it takes `XDG_DATA_HOME` for its data, unless it was told of another file. */
function database() {
  const { OPENCODE_DB: told = '', XDG_DATA_HOME: home = '' } = process.env;
  const data = join(isAbsolute(home) ? home : join(homedir(), '.local', 'share'), 'opencode');
  return told === '' ? join(data, 'opencode.db') : isAbsolute(told) ? told : join(data, told);
}
