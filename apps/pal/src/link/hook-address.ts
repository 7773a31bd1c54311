import { readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { writePrivateJson } from '../surroundings/private-file.js';
import { daemonPort, makeDataDirectory } from './discovery.js';
import { makeToken } from './token.js';

/**
 * Where hooks that are requests go. Unlike the daemon's own address it stands in the configuration of an agent, so it is the
 * same each time the daemon is started, and its token opens nothing but the route for such hooks.
 */
export type HookAddress = { readonly port: number; readonly token: string };

/** Null when nobody has such hooks, and when what is there leads nowhere: nothing may fail for that. */
export function readHookAddress(dataDir: string): HookAddress | null {
  try {
    const value = JSON.parse(readFileSync(addressFile(dataDir), 'utf8')) as Partial<HookAddress> | null;
    const { port, token } = value ?? {};
    const leads = Number.isSafeInteger(port) && typeof token === 'string' && token !== '';
    return leads ? { port: port!, token } : null;
  } catch {
    return null;
  }
}

/** The one that is there, if it is where the daemon is; another one has to be made otherwise. */
export function keptHookAddress(dataDir: string): HookAddress | null {
  const known = readHookAddress(dataDir);
  return known === null || (daemonPort(dataDir) ?? known.port) !== known.port ? null : known;
}

/** The one that is kept, or a new one; at the port of a daemon that runs, so that it need not be started anew. */
export async function makeHookAddress(dataDir: string): Promise<HookAddress> {
  const kept = keptHookAddress(dataDir);
  if (kept !== null) return kept;
  const address = { port: daemonPort(dataDir) ?? (await freePort()), token: makeToken() };
  makeDataDirectory(dataDir);
  writePrivateJson(addressFile(dataDir), address);
  return address;
}

export function removeHookAddress(dataDir: string): void {
  rmSync(addressFile(dataDir), { force: true });
}

function addressFile(dataDir: string): string {
  return join(dataDir, 'hook-door.json');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
