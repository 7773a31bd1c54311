import { chmodSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../surroundings/error-code.js';
import { PRIVATE_FOLDER, writePrivateJson } from '../surroundings/private-file.js';

/** Where the running daemon is, and the secret that opens it. Only the user can read the file that says so. */
export type DaemonInfo = {
  readonly pid: number;
  readonly port: number;
  readonly token: string;
  readonly version: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
};

export const DISCOVERY_NAME = 'daemon.json';

export function discoveryFile(dataDir: string): string {
  return join(dataDir, DISCOVERY_NAME);
}

/** Null when there is none, or when what is there was not written by us: then nobody can be reached through it. */
export function readDiscovery(dataDir: string): DaemonInfo | null {
  let text: string;
  try {
    text = readFileSync(discoveryFile(dataDir), 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null;
    throw error;
  }
  return parseDiscovery(text);
}

export function writeDiscovery(dataDir: string, info: DaemonInfo): void {
  writePrivateJson(discoveryFile(dataDir), info);
}

/** Leaves the file alone when it already speaks of another daemon. */
export function removeDiscovery(dataDir: string, info: DaemonInfo): void {
  if (readDiscovery(dataDir)?.token === info.token) rmSync(discoveryFile(dataDir), { force: true });
}

/** Says that somebody has just set out to start the daemon. */
export function startMarker(dataDir: string): string {
  return join(dataDir, 'daemon.starting');
}

export function removeStartMarker(dataDir: string): void {
  rmSync(startMarker(dataDir), { force: true });
}

/** Makes it, or closes it to others if it was there: whoever can write into it can stand in for the daemon. */
export function makeDataDirectory(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: PRIVATE_FOLDER });
  const { mode, uid } = statSync(dataDir);
  if (process.getuid === undefined) return;
  // What a system error looks like, because that is how it is shown: the folder cannot be used.
  if (uid !== process.getuid() && uid !== ROOT_USER)
    throw Object.assign(new Error('it belongs to another user'), { code: 'EPERM', syscall: 'stat', path: dataDir });
  if (uid === process.getuid() && (mode & OPEN_TO_OTHERS) !== 0) chmodSync(dataDir, PRIVATE_FOLDER);
}

const ROOT_USER = 0;
const OPEN_TO_OTHERS = 0o077;

/** Whether a daemon of this user may be behind the number. A process of somebody else's has only got the same one. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // Gone, or not ours.
  }
}

/** Where the daemon listens; null when none runs. */
export function daemonPort(dataDir: string): number | null {
  const daemon = readDiscovery(dataDir);
  return daemon !== null && isAlive(daemon.pid) ? daemon.port : null;
}

function parseDiscovery(text: string): DaemonInfo | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null; // Whoever wrote this, it leads nowhere.
  }
  return isDaemonInfo(value) ? value : null;
}

function isDaemonInfo(value: unknown): value is DaemonInfo {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, port, token, version, startedAt } = value as Readonly<Record<string, unknown>>;
  const numbers =
    Number.isSafeInteger(pid) && (pid as number) > 0 && Number.isSafeInteger(port) && (port as number) > 0;
  return numbers && [token, version, startedAt].every((text) => typeof text === 'string' && text !== '');
}
