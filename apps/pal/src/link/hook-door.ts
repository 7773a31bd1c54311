import { readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { writePrivateJson } from '../surroundings/private-file.js';
import { daemonPort, makeDataDirectory } from './discovery.js';
import { makeToken } from './token.js';

/**
 * Where hooks that are requests go. Unlike the daemon's own door it stands in the configuration of an agent, so it is the
 * same each time the daemon is started, and its token opens nothing but the route for such hooks.
 */
export type HookDoor = { readonly port: number; readonly token: string };

/** Null when nobody has such hooks, and when what is there leads nowhere: nothing may fail for that. */
export function readHookDoor(dataDir: string): HookDoor | null {
  try {
    const value = JSON.parse(readFileSync(doorFile(dataDir), 'utf8')) as Partial<HookDoor> | null;
    const { port, token } = value ?? {};
    const leads = Number.isSafeInteger(port) && typeof token === 'string' && token !== '';
    return leads ? { port: port!, token } : null;
  } catch {
    return null;
  }
}

/** The door that is there, if it is where the daemon is; another one has to be made otherwise. */
export function keptHookDoor(dataDir: string): HookDoor | null {
  const known = readHookDoor(dataDir);
  return known === null || (daemonPort(dataDir) ?? known.port) !== known.port ? null : known;
}

/** The one that is kept, or a new one; at the port of a daemon that runs, so that it need not be started anew. */
export async function makeHookDoor(dataDir: string): Promise<HookDoor> {
  const kept = keptHookDoor(dataDir);
  if (kept !== null) return kept;
  const door = { port: daemonPort(dataDir) ?? (await freePort()), token: makeToken() };
  makeDataDirectory(dataDir);
  writePrivateJson(doorFile(dataDir), door);
  return door;
}

export function removeHookDoor(dataDir: string): void {
  rmSync(doorFile(dataDir), { force: true });
}

function doorFile(dataDir: string): string {
  return join(dataDir, 'hook-door.json');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
