import { readFileSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { isatty } from 'node:tty';
import type { BeginAnswerJson, EndAnswerJson, NoteAnswerJson } from '@palimpsest/protocol';
import {
  AUTHORIZATION,
  bearer,
  CONTENT_TYPE,
  DEADLINE,
  ENDPOINTS,
  type EndpointName,
  JSON_TYPE,
  pathOf,
  VERSION,
} from '@palimpsest/protocol/light';
import { SILENCE, UNCHECKED } from './agents/hook-event.js';
import { EXIT } from './face/failure.js';
import { endHook, quickHook } from './hook/quick-hook.js';
import { type DaemonInfo, isAlive, readDiscovery } from './link/discovery.js';
import { askLoopback } from './link/loopback.js';
import { changesSummary } from './print/changes.js';
import { decisionText, noticeLines, noticesText } from './print/decision.js';
import { harmlessJson } from './print/harmless.js';
import { plainLook } from './print/plain.js';
import { dataDirectory, surroundings } from './surroundings/surroundings.js';
import { parentIn } from './surroundings/within.js';
import { workspaceIdOf } from './surroundings/workspace-id.js';

/** `served` is false for whatever the whole program must do; what was read of standard input goes with it. */
export type Quick = { readonly served: false; readonly stdin?: string };

/**
 * The short way for what agents say at every step: one request to a daemon that runs. Everything else (no daemon, an
 * older one, a refusal, help, a terminal) is left to the whole program, which does it again: saying that a call began or
 * ended twice is the same as saying it once.
 */
export async function start(args: readonly string[]): Promise<Quick> {
  if (args[0] === 'hook') return hook(args.slice(1));
  const asked = parse(args);
  if (asked === null || isatty(STDOUT)) return { served: false };
  const daemon = readDiscovery(dataDirectory(surroundings()));
  if (daemon === null || daemon.version !== VERSION || !isAlive(daemon.pid)) return { served: false };
  const stdin = readInput();
  if (stdin === null) return { served: false };
  const body = bodyOf(asked, stdin);
  const answer = body === null ? null : await ask(daemon, asked, body);
  if (answer === null) return { served: false, stdin };
  say(asked, answer);
}

/** `hook AGENT EVENT [--strict]`; what is said otherwise is for people. */
async function hook(words: readonly string[]): Promise<Quick> {
  const [agent, event, option] = words;
  if (agent === undefined || event === undefined || words.length > 3) return { served: false };
  if (option !== undefined && option !== '--strict') return { served: false };
  const otherwise = option === undefined ? SILENCE : UNCHECKED;
  const stdin = readInput();
  if (stdin === null) return { served: false };
  const around = surroundings();
  const data = dataDirectory(around);
  const { environment } = around;
  const output = await quickHook({ agent, event, stdin, data, environment, cwd: process.cwd(), otherwise });
  return output === null ? { served: false, stdin } : endHook(output);
}

type Asked = {
  readonly endpoint: 'beginCall' | 'endCall' | 'addNote';
  readonly directory: string;
  readonly format: 'json' | 'text';
};

/** A hook must not hang: past this the whole program says what is wrong. */
const PATIENCE_MS = 20_000;
const STDIN = 0;
const STDOUT = 1;

function parse(args: readonly string[]): Asked | null {
  const words: string[] = [];
  let directory = '.';
  let format: Asked['format'] = 'text';
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (arg === '--json') format = 'json';
    else if (arg === '-C' && at + 1 < args.length) directory = args[++at]!;
    else if (arg.startsWith('-')) return null;
    else words.push(arg);
  }
  const endpoint = ENDPOINT_OF[words.join(' ')];
  return endpoint === undefined ? null : { endpoint, directory: resolve(directory), format };
}

const ENDPOINT_OF: Readonly<Record<string, Asked['endpoint']>> = {
  'tool begin': 'beginCall',
  'tool end': 'endCall',
  note: 'addNote',
};

function readInput(): string | null {
  try {
    return readFileSync(STDIN, 'utf8');
  } catch {
    return null; // A standard input that cannot be read at once is read in pieces by the whole program.
  }
}

function bodyOf({ endpoint, directory }: Asked, stdin: string): string | null {
  try {
    const body = JSON.parse(stdin) as Record<string, unknown> | null;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
    if (endpoint === 'endCall' || body.kind === 'cut' || body.kind === 'quiet' || body.kind === 'saved') return stdin;
    const parent = endpoint === 'beginCall' ? parentIn(surroundings().environment) : {};
    return JSON.stringify({ ...parent, ...body, cwd: body.cwd ?? directory });
  } catch {
    return null; // Not JSON: the whole program explains it.
  }
}

async function ask(daemon: DaemonInfo, { endpoint, directory }: Asked, body: string): Promise<unknown> {
  const workspace = workspaceIdOf(directory, surroundings().home) ?? (await openWorkspace(daemon, directory));
  return workspace === null ? null : send(daemon, endpoint, pathOf(ENDPOINTS[endpoint], { workspace }), body);
}

async function openWorkspace(daemon: DaemonInfo, root: string): Promise<string | null> {
  const opened = await send(daemon, 'openWorkspace', pathOf(ENDPOINTS.openWorkspace), JSON.stringify({ root }));
  return (opened as { workspace?: { id?: string } } | null)?.workspace?.id ?? null;
}

/** The answer, or null when none came or it was a refusal. */
async function send(daemon: DaemonInfo, endpoint: EndpointName, path: string, body: string): Promise<unknown> {
  const answer = await askLoopback({
    port: daemon.port,
    method: ENDPOINTS[endpoint].method.toUpperCase(),
    path,
    headers: {
      [AUTHORIZATION]: bearer(daemon.token),
      [CONTENT_TYPE]: JSON_TYPE,
      [DEADLINE]: String(Date.now() + PATIENCE_MS),
    },
    body,
    timeoutMs: PATIENCE_MS,
  });
  return answer === null || answer.status !== 200 ? null : parsed(answer.body);
}

function say({ endpoint, format }: Asked, answer: unknown): never {
  print(`${format === 'json' ? harmlessJson(answer) : textOf(endpoint, answer)}\n`);
  process.exit(endpoint === 'beginCall' && (answer as BeginAnswerJson).decision === 'deny' ? EXIT.denied : EXIT.done);
}

function textOf(endpoint: Asked['endpoint'], answer: unknown): string {
  switch (endpoint) {
    case 'beginCall':
      return decisionText(answer as BeginAnswerJson);
    case 'addNote':
      return noticesText((answer as NoteAnswerJson).notices);
    case 'endCall': {
      const { changes, perhaps, notices } = answer as EndAnswerJson;
      return [changesSummary(changes, plainLook(), perhaps), ...noticeLines(notices)].join('\n');
    }
  }
}

/** Straight to the descriptor: setting up the stream takes longer than writing. A pipe that is full makes us wait. */
function print(text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(STDOUT, rest));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      if (error.code === 'EPIPE') return;
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // What is not JSON was not said by a daemon of ours.
  }
}
