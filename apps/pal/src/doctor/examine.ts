import { VERSION } from '@palimpsest/protocol/light';
import type { Face } from '../face/face.js';
import { askDaemon } from '../link/ask-daemon.js';
import { type DaemonInfo, discoveryFile, isAlive, readDiscovery } from '../link/discovery.js';
import type { Checked } from '../print/checks.js';
import { examineAgents } from './agents.js';
import { type DaemonReading, judgeDaemon, judgeData, judgeGit, judgeNode, judgeWatching } from './judge.js';
import { readData, readGit, readWatching } from './readings.js';

const ANSWER_PATIENCE_MS = 3_000;

/** Everything that `pal doctor` looks at. Nothing is started or changed by looking. */
export async function examine(face: Face): Promise<readonly Checked[]> {
  const data = readData(face.data);
  return [
    judgeNode(process.version),
    judgeGit(await readGit()),
    ...judgeData(data),
    judgeWatching(readWatching(face.directory)),
    judgeDaemon(await readDaemon(face.data), VERSION),
    ...(await examineAgents(face)),
  ];
}

async function readDaemon(data: string): Promise<DaemonReading> {
  const file = discoveryFile(data);
  let daemon: DaemonInfo | null;
  try {
    daemon = readDiscovery(data);
  } catch (error) {
    return { state: 'unreadable', file, why: whyOf(error) };
  }
  if (daemon === null) return { state: 'absent' };
  if (!isAlive(daemon.pid)) return { state: 'stale', file, pid: daemon.pid };
  const answer = await askHealth(daemon);
  if ('why' in answer) return { state: 'silent', file, pid: daemon.pid, why: answer.why };
  // Another program may have got the number of a daemon that is gone, or its port.
  return answer.pid === daemon.pid ? { state: 'answers', ...answer } : { state: 'stale', file, pid: daemon.pid };
}

async function askHealth(
  daemon: DaemonInfo,
): Promise<{ readonly pid: number; readonly version: string } | { readonly why: string }> {
  const answer = await askDaemon(daemon, 'health', { timeoutMs: ANSWER_PATIENCE_MS });
  if (answer.status !== 200) return { why: answer.status === null ? answer.why : `it answers ${answer.status}` };
  try {
    const { pid, version } = JSON.parse(answer.body) as { pid: number; version: string };
    return { pid, version };
  } catch {
    return { why: 'it answers with no JSON' };
  }
}

function whyOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
