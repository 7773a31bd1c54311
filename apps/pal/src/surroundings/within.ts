import { WITHIN } from '@palimpsest/protocol/light';

type Environment = Readonly<Record<string, string | undefined>>;

/** How a session tells what it starts that it runs within it: `pal run` sets these, hooks and `pal tool` pass them on. */
export const SESSION = 'PALIMPSEST_SESSION';
/** The agent's session that ours was started within, so that the inner one of the two is known. */
const AROUND = 'PALIMPSEST_WITHIN';
/** Agents that tell the commands they run which session that is for. */
const OF_AGENTS = ['CLAUDE_CODE_SESSION_ID', 'GEMINI_SESSION_ID'] as const;

/** The session that a command runs within; nothing where there is none. */
export function parentIn(environment: Environment): { readonly parent?: string } {
  const ours = textOf(environment[SESSION]);
  const agents = agentSession(environment);
  const parent = agents === undefined || agents === environment[AROUND] ? ours : agents;
  return parent === undefined ? {} : { parent };
}

/** For what a session of ours starts. */
export function environmentWithin(environment: Environment, session: string): Environment {
  return { ...environment, [SESSION]: session, [AROUND]: agentSession(environment) };
}

/** For what runs in a worktree: where it is, and a range of ports that no other worktree of the workspace has. */
export function inWorktree(
  { path, portBase }: { readonly path: string; readonly portBase?: number | undefined },
  directory: string,
): Environment {
  return { PAL_WORKTREE: path, PWD: directory, ...(portBase === undefined ? {} : { PAL_PORT_BASE: String(portBase) }) };
}

/** How the session that a process runs within stands in that process's environment. */
export function sessionEntry(session: string): string {
  return `${SESSION}=${session}`;
}

/** An agent's hooks run with its own session in its own variable, so only ours speak of one around it. */
export function withinHeader(environment: Environment): Readonly<Record<string, string>> {
  const id = textOf(environment[SESSION]);
  return id === undefined ? {} : { [WITHIN]: encodeURIComponent(id) };
}

function agentSession(environment: Environment): string | undefined {
  return OF_AGENTS.map((name) => textOf(environment[name])).find((id) => id !== undefined);
}

/** What is too long for an id is none, and too long for a header too: with it no request would get through. */
function textOf(value: string | undefined): string | undefined {
  return value === undefined || value === '' || value.length > ID_LENGTH_LIMIT ? undefined : value;
}

/** As for every id that others give; this is loaded by hooks, which load little. */
export const ID_LENGTH_LIMIT = 1024;
