import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Agent } from './agent.js';
import { pluginAnswer } from './answers.js';
import { folderIn } from './folder.js';
import type { HookEvent } from './hook-event.js';
import { unquoted } from './opencode-prompt.js';
import { opencodeTranscript } from './opencode-transcript.js';
import { outputText, type Payload, payloadOf, shownLines, textAt } from './payload.js';
import { pluginFile } from './plugin-file.js';

const WAITS = { deadlineMs: 5_000, limitMs: null } as const;

/**
 * opencode, by way of our plugin, which hands on `{input, output, directory}` of each hook as it got them. A tool that
 * failed has no `after`; its failure is told by the message part that shows it. Its sessions outlive it: when it exits,
 * those that it worked on are over until they are taken up again. Where it is killed, nobody says so.
 */
export const opencode: Agent = {
  name: 'opencode',
  title: 'opencode',
  program: 'opencode',
  home: folderIn({ variable: 'XDG_CONFIG_HOME', otherwise: ['.config'] }, 'opencode'),
  local: ['.opencode', 'opencode.json', 'opencode.jsonc'],
  wiring({ scope, folder, data, pal }) {
    if (scope === 'shared')
      return [pluginFile(join(folder, 'plugin', 'palimpsest.js'), 'opencode.js', { pal, ...WAITS })];
    const file = join(data, 'plugins', 'palimpsest-opencode.js');
    return [
      pluginFile(file, 'opencode.js', { pal, ...WAITS }),
      { kind: 'plugin-list', path: configIn(folder), url: pathToFileURL(file).href },
    ];
  },
  afterwards:
    'At its next start opencode installs a package that it wants beside every plugin, which takes some seconds, once.',
  waits: WAITS,
  deciding: ['tool.execute.before', 'chat.message'],
  hears: new Set(['prompt', 'tool-end']),
  answer: pluginAnswer,
  mentions: 'left-out',
  transcript: { reader: opencodeTranscript, calls: 'as-hooks-do' },
  read(event, value) {
    const payload = payloadOf(value);
    const heard = eventOf(event, payload);
    const transcript = textAt(payload, 'transcript');
    return heard === null || transcript === undefined ? heard : { ...heard, transcript };
  },
};

function eventOf(event: string, payload: Payload): HookEvent | null {
  const input = payloadOf(payload.input);
  const output = payloadOf(payload.output);
  const cwd = textAt(payload, 'directory');
  const session = textAt(input, 'sessionID');
  switch (event) {
    case 'event':
      return readEvent(payloadOf(input.event), cwd);
    case 'chat.message': {
      const turn = textAt(payloadOf(output.message), 'id');
      const model = modelOf(payloadOf(input.model));
      return session === undefined ? null : { cwd, session, kind: 'prompt', text: promptOf(output.parts), turn, model };
    }
    case 'tool.execute.before':
    case 'tool.execute.after': {
      const callId = textAt(input, 'callID');
      const tool = textAt(input, 'tool');
      if (session === undefined || callId === undefined || tool === undefined) return null;
      const call = { cwd, session, callId, tool };
      if (event === 'tool.execute.before') return { ...call, kind: 'tool-begin', input: output.args };
      const shown = shownIn(output);
      return { ...call, kind: 'tool-end', input: input.args, ok: true, output: outputText(output), shown };
    }
    case 'dispose':
      return session === undefined ? null : { cwd, session, kind: 'session-end' };
    case 'experimental.session.compacting':
      return session === undefined ? null : { cwd, session, kind: 'cut' };
    default:
      return null;
  }
}

function configIn(folder: string): string {
  const commented = join(folder, 'opencode.jsonc');
  return existsSync(commented) ? commented : join(folder, 'opencode.json');
}

function shownIn(output: Payload) {
  const { lineStart, lineEnd, totalLines } = payloadOf(payloadOf(output.metadata).display);
  return shownLines(lineStart, lineEnd, totalLines);
}

function readEvent(event: Payload, cwd: string | undefined): HookEvent | null {
  const properties = payloadOf(event.properties);
  const session = textAt(properties, 'sessionID');
  if (session === undefined) return null;
  switch (event.type) {
    case 'session.created':
      return { cwd, session, kind: 'session-start' };
    case 'session.deleted':
      return { cwd, session, kind: 'session-end' };
    case 'session.idle':
      return { cwd, session, kind: 'pause' };
    case 'session.compacted':
      return { cwd, session, kind: 'cut' };
    case 'message.part.updated':
      return failedPart(payloadOf(properties.part), session, cwd);
    default:
      return null;
  }
}

function failedPart(part: Payload, session: string, cwd: string | undefined): HookEvent | null {
  const state = payloadOf(part.state);
  const callId = textAt(part, 'callID');
  const tool = textAt(part, 'tool');
  if (part.type !== 'tool' || state.status !== 'error' || callId === undefined || tool === undefined) return null;
  const output = textAt(state, 'error');
  return { cwd, session, kind: 'tool-end', callId, tool, input: state.input, ok: false, output };
}

/** As models.dev names them. */
function modelOf(model: Payload): string | undefined {
  const [provider, name] = [textAt(model, 'providerID'), textAt(model, 'modelID')];
  return provider === undefined || name === undefined ? undefined : `${provider}/${name}`;
}

/** What the person wrote; parts that opencode made of mentioned files are left out. */
function promptOf(parts: unknown): string {
  const list: readonly unknown[] = Array.isArray(parts) ? parts : [];
  const text = list
    .map(payloadOf)
    .filter((part) => part.type === 'text' && part.synthetic !== true)
    .map((part) => textAt(part, 'text') ?? '')
    .join('\n');
  return unquoted(text);
}
