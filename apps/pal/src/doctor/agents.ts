import { join } from 'node:path';
import type { Approval, Dropped } from '../agents/agent.js';
import { AGENT_NAMES, AGENTS, type AgentName } from '../agents/agents.js';
import type { Scope } from '../agents/target.js';
import type { Face } from '../face/face.js';
import { readMissed } from '../hook/missed.js';
import { REWIRE_HINT } from '../hook/wrong-address.js';
import { daemonPort } from '../link/discovery.js';
import { readHookAddress } from '../link/hook-address.js';
import { type Checked, careful, fine, wrong } from '../print/checks.js';
import { ago } from '../print/time.js';
import { findProgram } from '../surroundings/find-program.js';
import { proxyInTheWay } from '../wiring/proxy.js';
import { isOpenToOthers } from '../wiring/secret-file.js';
import { readWired, type WiredReading } from '../wiring/wired.js';

/** What was missed longer ago has been found by looking at the disk since. */
export const MISSED_MS = 24 * 60 * 60 * 1000;

/** The agents that are wired up, and what their hooks could not deliver. Nothing is said of those that are not. */
export async function examineAgents(face: Face): Promise<readonly Checked[]> {
  const checks: Checked[] = [];
  for (const agent of AGENT_NAMES) {
    const readings = (['user', 'shared'] as const).map((scope) => ({ scope, ...readIn(face, agent, scope) }));
    const wired = readings.filter(({ state }) => state !== 'no');
    const approval = wired.length > 0 ? await approvalOf(face, agent) : null;
    checks.push(...wired.map((reading) => judgeWired(agent, reading, approval)));
    if (wired.length > 0) checks.push(...judgeDropped(agent, droppedBy(face, agent), Date.now()));
    const address = wired.find((reading) => reading.address !== null)?.address;
    if (address !== undefined && address !== null) checks.push(...judgeAddress(readAddress(face, address.port)));
  }
  return [
    ...checks,
    ...judgeMissed(
      readMissed(face.data, Date.now() - MISSED_MS).map(({ at }) => at),
      Date.now(),
    ),
  ];
}

export function judgeWired(
  agent: AgentName,
  { state, gone, scope }: WiredReading & { readonly scope: Scope },
  approval: Approval | null,
): Checked {
  const { title, underAcp } = AGENTS[agent];
  const again = `\`pal init --agent ${agent}${scope === 'shared' ? ' --shared' : ''}\` wires it up anew`;
  if (gone !== null) return wrong('agents', `${title}: its hooks run ${gone}, which is not there`, again);
  if (state === 'other') return careful('agents', `${title} is wired up by another pal, or in part`, again);
  if (approval !== null && approval.approved < approval.ours)
    return wrong(
      'agents',
      `${title} skips ${approval.ours - approval.approved} of our ${approval.ours} hooks, because you have not approved them`,
      'start `codex` and type /hooks',
    );
  const whom = scope === 'shared' ? ' for everybody in this workspace' : '';
  return fine('agents', `${title} is wired up${whom}${underAcp === undefined ? '' : `; ${underAcp}`}`);
}

export function judgeDropped(agent: AgentName, dropped: Dropped | null, now: number): readonly Checked[] {
  if (dropped === null) return [];
  const { at, why, remedy } = dropped;
  return [careful('agents', `${AGENTS[agent].title} went on without our plugin ${ago(at, now)}: ${why}`, remedy)];
}

function droppedBy({ surroundings }: Face, agent: AgentName): Dropped | null {
  return AGENTS[agent].dropped?.(surroundings, Date.now() - MISSED_MS) ?? null;
}

/** What can be wrong with hooks that are requests. */
export type AddressReading = {
  readonly port: number;
  readonly daemonPort: number | null;
  readonly proxy: string | null;
  readonly openFile: string | null;
};

export function judgeAddress({ port, daemonPort: daemon, proxy, openFile }: AddressReading): readonly Checked[] {
  const checks: Checked[] = [];
  if (daemon !== null && daemon !== port)
    checks.push(wrong('agents', `Claude Code asks at port ${port}, and the daemon is not there`, REWIRE_HINT));
  if (proxy !== null)
    checks.push(
      wrong('agents', `${proxy} names a proxy, and what Claude Code asks would go there`, 'add 127.0.0.1 to NO_PROXY'),
    );
  if (openFile !== null)
    checks.push(careful('agents', `others can read ${openFile}, and a token is in it`, `chmod go-r ${openFile}`));
  return checks;
}

function readAddress({ surroundings, data }: Face, port: number): AddressReading {
  const file = join(AGENTS.claude.home(surroundings), 'settings.json');
  return {
    port,
    daemonPort: daemonPort(data),
    proxy: proxyInTheWay(surroundings.environment),
    openFile: isOpenToOthers(file) ? file : null,
  };
}

export function judgeMissed(times: readonly string[], now: number): readonly Checked[] {
  const last = times.at(-1);
  if (last === undefined) return [];
  const amount = times.length === 1 ? 'one event' : `${times.length} events`;
  const remedy =
    'what happened meanwhile was found by looking at the disk; `pal log` shows it, daemon.log in the data directory may say why';
  return [careful('hooks', `${amount} of agents got no answer in time, the last ${ago(last, now)}`, remedy)];
}

function readIn(face: Face, agent: AgentName, scope: Scope): WiredReading {
  const { surroundings, data, directory } = face;
  const address = scope === 'user' ? readHookAddress(data) : null;
  return readWired(agent, { surroundings, data, workspace: directory, scope, strictness: 'lenient', address });
}

async function approvalOf({ surroundings, directory }: Face, name: AgentName): Promise<Approval | null> {
  const { program, approval } = AGENTS[name];
  const file = findProgram(program, surroundings.environment.PATH ?? '');
  return file === null || approval === undefined ? null : approval(file, directory, surroundings.environment);
}
