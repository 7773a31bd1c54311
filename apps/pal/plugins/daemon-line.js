// What our plugins have in common: a line to the daemon that never fails the agent and never keeps it waiting for long.
// `pal init` puts this text in front of each plugin, so it needs nothing but what is built in.
import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** How `pal` is run where the daemon has to be started; `pal init` writes where it is. */
const PAL = ['pal'];

const PATIENCE_MS = 2_000;
/** Loading `pal` and starting the daemon come on top. */
const START_PATIENCE_MS = 4_000;
/** After `pal` could not help, it is not asked again for so long. */
const PAUSE_MS = 10_000;
const DENIED = 2;
/** The session that the agent was started within, as `pal run` names its own. */
const SESSION = /^[\w.-]{1,1024}$/;

let pausedUntil = 0;

/**
 * `{deny?, context?}`, and nothing of it when the daemon cannot be asked. `limitMs` is for an agent that does not wait as
 * long as we would: all that is tried ends within it.
 */
export async function tell(agent, event, payload, directory, limitMs = PATIENCE_MS + START_PATIENCE_MS) {
  const until = Date.now() + limitMs;
  try {
    const answer = await overHttp(agent, event, payload, directory, Math.min(PATIENCE_MS, limitMs));
    if (answer !== null) return answer;
    if (Date.now() < pausedUntil) return missed(agent, event, directory, 'the daemon could not be started');
    const left = Math.min(START_PATIENCE_MS, until - Date.now());
    const started = await throughPal(agent, event, payload, directory, left);
    if (started !== null) return started;
    pausedUntil = Date.now() + PAUSE_MS;
    return missed(agent, event, directory, 'the daemon could not be started');
  } catch (error) {
    return missed(agent, event, directory, String(error?.message ?? error));
  }
}

/** Null when there is nobody to ask; an error when somebody is there and does not answer. */
function overHttp(agent, event, payload, directory, patienceMs) {
  const daemon = readDaemon();
  if (daemon === null) return Promise.resolve(null);
  const body = JSON.stringify({ directory, payload });
  const headers = {
    authorization: `Bearer ${daemon.token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-pal-deadline': String(Date.now() + patienceMs),
    ...(SESSION.test(process.env.PALIMPSEST_SESSION ?? '') ? { 'x-pal-within': process.env.PALIMPSEST_SESSION } : {}),
  };
  const path = `/v1/hooks/${agent}/${encodeURIComponent(event)}`;
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: daemon.port, method: 'POST', path, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', () => resolve(null));
      response.on('end', () => {
        clearTimeout(timer);
        resolve(response.statusCode === 200 ? JSON.parse(Buffer.concat(chunks).toString('utf8')) : null);
      });
    });
    const timer = setTimeout(() => {
      reject(new Error(`no answer within ${patienceMs} ms`));
      sent.destroy();
    }, patienceMs);
    sent.on('error', () => {
      clearTimeout(timer);
      resolve(null);
    });
    sent.end(body);
  });
}

/** The command does what it takes to have a daemon, and asks it. */
function throughPal(agent, event, payload, directory, patienceMs) {
  return new Promise((resolve) => {
    const [program, ...words] = PAL;
    const child = spawn(program, [...words, 'hook', agent, event], { cwd: directory, stdio: ['pipe', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    const timer = setTimeout(() => child.kill(), patienceMs);
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (text) => {
        said[name] += text;
      });
    }
    child.stdin.on('error', () => undefined);
    child.on('error', () => {
      clearTimeout(timer);
      resolve(null);
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code === DENIED) resolve({ deny: said.stderr.trim() });
      else resolve(code === 0 ? (said.stdout.trim() === '' ? {} : JSON.parse(said.stdout)) : null);
    });
    child.stdin.end(JSON.stringify(payload));
  });
}

function readDaemon() {
  try {
    const { pid, port, token } = JSON.parse(readFileSync(join(dataDirectory(), 'daemon.json'), 'utf8'));
    // Throws when it is gone: whoever has its port now must not get to see what agents do.
    process.kill(pid, 0);
    return Number.isSafeInteger(port) && typeof token === 'string' ? { port, token } : null;
  } catch {
    return null; // No daemon has said where it is, or the one that did is gone.
  }
}

/** Says where the user will look that the agent went on without an answer. */
function missed(agent, event, directory, why) {
  try {
    const line = JSON.stringify({ at: new Date().toISOString(), agent, event, directory, why });
    appendFileSync(join(dataDirectory(), 'missed.jsonl'), `${line}\n`, { mode: 0o600 });
  } catch {
    // Not even this may fail the agent.
  }
  return {};
}

function dataDirectory() {
  const { env, platform } = process;
  const absolute = (path) => (path !== undefined && isAbsolute(path) ? path : undefined);
  const chosen = absolute(env.PALIMPSEST_HOME);
  if (chosen !== undefined) return chosen;
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'palimpsest');
  if (platform === 'win32')
    return join(absolute(env.LOCALAPPDATA) ?? join(homedir(), 'AppData', 'Local'), 'palimpsest');
  return join(absolute(env.XDG_DATA_HOME) ?? join(homedir(), '.local', 'share'), 'palimpsest');
}
