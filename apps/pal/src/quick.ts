import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isatty } from 'node:tty';
import { isNestedTooDeeply, VERSION } from '@palimpsest/protocol/light';
import { isAgentName } from './agents/agents.js';
import { type HookOutput, SILENCE, UNCHECKED } from './agents/hook-event.js';
import { AGENT_SAYS, type Saying } from './cli/agent-says.js';
import { EXIT } from './face/failure.js';
import { askRunning } from './hook/ask-hook.js';
import { untilOf } from './hook/deadlines.js';
import { askDaemon } from './link/ask-daemon.js';
import { type DaemonInfo, isAlive, readDiscovery } from './link/discovery.js';
import { writeNow } from './print/descriptor.js';
import { harmlessJson } from './print/harmless.js';
import { plainStyle } from './print/plain.js';
import { dataDirectory, surroundings } from './surroundings/surroundings.js';
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
  const answer = await ask(daemon, asked, stdin);
  if (answer === null) return { served: false, stdin };
  const { saying, format } = asked;
  writeNow(STDOUT, `${format === 'json' ? harmlessJson(answer) : saying.text(answer, plainStyle())}\n`);
  process.exit(saying.exit?.(answer) ?? EXIT.done);
}

/** `hook AGENT EVENT [--strict]`; what is said otherwise is for people. */
async function hook(words: readonly string[]): Promise<Quick> {
  const [agent, event, option] = words;
  if (agent === undefined || !isAgentName(agent) || event === undefined || words.length > 3) return { served: false };
  if (option !== undefined && option !== '--strict') return { served: false };
  const otherwise = option === undefined ? SILENCE : UNCHECKED;
  const stdin = readInput();
  if (stdin === null) return { served: false };
  const around = surroundings();
  const data = dataDirectory(around);
  const { environment } = around;
  const until = untilOf(agent, environment, performance.timeOrigin);
  const output = await askRunning({ agent, event, stdin, data, environment, cwd: process.cwd(), until, otherwise });
  return output === null ? { served: false, stdin } : end(output);
}

/** Whatever becomes of what it prints, an agent goes by the exit code. */
function end({ exit, stdout, stderr }: HookOutput): never {
  try {
    writeNow(STDOUT, stdout);
    writeNow(STDERR, stderr);
  } finally {
    process.exit(exit);
  }
}

type Asked = { readonly saying: Saying; readonly directory: string; readonly format: 'json' | 'text' };

/** An agent must not be held up: past this the whole program says what is wrong. */
const PATIENCE_MS = 20_000;
const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;

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
  const saying = (AGENT_SAYS as Readonly<Record<string, Saying>>)[words.join(' ')];
  return saying === undefined ? null : { saying, directory: resolve(directory), format };
}

function readInput(): string | null {
  try {
    return readFileSync(STDIN, 'utf8');
  } catch {
    return null; // A standard input that cannot be read at once is read in pieces by the whole program.
  }
}

async function ask(daemon: DaemonInfo, { saying, directory }: Asked, stdin: string): Promise<unknown> {
  // It could be read, but not written again, or not by everybody who passes it on.
  const given = isNestedTooDeeply(stdin) ? null : parsed(stdin);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return null;
  const around = surroundings();
  const { environment, home } = around;
  const workspace =
    workspaceIdOf(directory, { home, data: dataDirectory(around) }) ?? (await openWorkspace(daemon, directory));
  const body = saying.body(given as Readonly<Record<string, unknown>>, { directory, environment });
  return workspace === null ? null : send(daemon, saying.endpoint, { workspace }, body);
}

async function openWorkspace(daemon: DaemonInfo, root: string): Promise<string | null> {
  const opened = await send(daemon, 'openWorkspace', {}, { root });
  return (opened as { workspace?: { id?: string } } | null)?.workspace?.id ?? null;
}

/** The answer, or null when none came or it was a refusal. */
async function send(
  daemon: DaemonInfo,
  name: Saying['endpoint'] | 'openWorkspace',
  params: Readonly<Record<string, string>>,
  body: object,
): Promise<unknown> {
  const answer = await askDaemon(daemon, name, { params, body: JSON.stringify(body), timeoutMs: PATIENCE_MS });
  return answer.status === 200 ? parsed(answer.body) : null;
}

/** Null for what is not JSON: the whole program explains it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
