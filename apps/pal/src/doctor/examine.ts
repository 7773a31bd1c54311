import { request } from 'node:http';
import { AUTHORIZATION, bearer, ENDPOINTS, VERSION } from '@palimpsest/protocol/light';
import type { Face } from '../face/face.js';
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

function askHealth({
  port,
  token,
}: DaemonInfo): Promise<{ readonly pid: number; readonly version: string } | { readonly why: string }> {
  return new Promise((resolve) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: ENDPOINTS.health.path,
      headers: { [AUTHORIZATION]: bearer(token) },
      agent: false,
      timeout: ANSWER_PATIENCE_MS,
    };
    const sent = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => {
        try {
          const { pid, version } = JSON.parse(text) as { pid: number; version: string };
          resolve(response.statusCode === 200 ? { pid, version } : { why: `it answers ${response.statusCode}` });
        } catch {
          resolve({ why: `it answers ${response.statusCode} and no JSON` });
        }
      });
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${ANSWER_PATIENCE_MS / 1000} s`)));
    sent.on('error', (error) => resolve({ why: whyOf(error) }));
    sent.end();
  });
}

function whyOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
