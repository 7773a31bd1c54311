import { ENDPOINTS, VERSION } from '@palimpsest/protocol/light';
import type { HookOutput } from '../agents/hook-event.js';
import { connect } from '../link/connect.js';
import { daemonPort } from '../link/discovery.js';
import { readHookAddress } from '../link/hook-address.js';
import { askLoopback } from '../link/loopback.js';
import { askHook, type HookCall, withoutAnswer } from './ask-hook.js';
import { leftMs } from './deadlines.js';
import { PATIENCE_MS } from './patience.js';

/**
 * A hook that found no daemon: one is started, and waited for as long as the agent may be kept waiting. Whatever goes
 * wrong, the agent goes on.
 */
export async function startAndAsk(call: HookCall): Promise<HookOutput> {
  const { agent, event, data } = call;
  if (agent === 'claude' && TURN_IS_OVER.has(event) && readHookAddress(data) !== null && !(await isDaemonThere(data)))
    withoutAnswer(call, 'the daemon was gone before the turn was over');
  try {
    return await askUntil(call);
  } catch (error) {
    return withoutAnswer(call, error instanceof Error ? error.message : String(error));
  }
}

/** A daemon that goes while it is asked is followed by another, which is asked again. */
async function askUntil(call: HookCall): Promise<HookOutput> {
  const { data, environment, until } = call;
  for (;;) {
    const found = await connect({
      dataDir: data,
      version: VERSION,
      start: 'if-needed',
      environment,
      timeoutMs: leftMs(until),
    });
    if (!found.ok) return withoutAnswer(call, found.error.error.message);
    const output = await askHook(found.value.info, call, leftMs(until));
    if (output !== null) return output;
    if (Date.now() >= until) return withoutAnswer(call, 'the daemon was gone, and no other came in time');
  }
}

/** Where tools are asked about by requests, nobody but the hooks at these events finds out that they were in vain. */
const TURN_IS_OVER: ReadonlySet<string> = new Set(['Stop', 'SubagentStop']);

/** Asked without the token: whoever answers, and whatever. A process that was killed has its number until its parent has heard of it. */
async function isDaemonThere(data: string): Promise<boolean> {
  const port = daemonPort(data);
  if (port === null) return false;
  const { method, path } = ENDPOINTS.health;
  const asked = { port, method: method.toUpperCase(), path, headers: {}, body: '', timeoutMs: PATIENCE_MS.afterMiss };
  return (await askLoopback(asked)).status !== null;
}
