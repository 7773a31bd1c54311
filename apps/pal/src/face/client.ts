import { statSync } from 'node:fs';
import type { Outcome } from '@palimpsest/core';
import type { Client, ClientFailure, FetchLike } from '@palimpsest/protocol';
import { createClient } from '@palimpsest/protocol/client';
import { VERSION } from '@palimpsest/protocol/light';
import { type Connected, connect } from '../link/connect.js';
import { withProgress } from '../print/progress.js';
import type { Face } from './face.js';
import { Failure } from './failure.js';

/** The daemon, about the workspace of the folder that the command is about; started if it is not running. */
export async function clientOf(face: Face, timeoutMs?: number): Promise<Client> {
  if (statSync(face.directory, { throwIfNoEntry: false })?.isDirectory() !== true) throw notAFolder(face.directory);
  const { address } = said(await withProgress('starting the daemon', () => started(face, timeoutMs)));
  const fetch: FetchLike = (url, request) => withProgress('waiting for the daemon', () => address.fetch(url, request));
  return createClient({ ...address, fetch, workspaceRoot: face.directory });
}

const HOOK_PATIENCE_MS = 10_000;

/** The same for what agents and commands wait on: a daemon that does not come must not hold them up for long. */
export function clientInTime(face: Face): Promise<Client> {
  const chosen = Number(face.surroundings.environment.PAL_PATIENCE_MS ?? '');
  return clientOf(face, chosen > 0 ? chosen : HOOK_PATIENCE_MS);
}

/** The daemon if it runs, and null if not; it is not started. */
export async function runningDaemon(face: Face): Promise<{ readonly client: Client; readonly pid: number } | null> {
  const connected = await connect({ dataDir: face.data, version: VERSION, start: 'never' });
  if (connected.ok) return { client: createClient(connected.value.address), pid: connected.value.info.pid };
  if (connected.error.error.code === 'not-running') return null;
  throw failureOf(connected.error);
}

/** The answer, or the failure that ends the command. */
export function said<T>(outcome: Outcome<T, ClientFailure>): T {
  if (outcome.ok) return outcome.value;
  throw failureOf(outcome.error);
}

export function failureOf({ error, exit }: ClientFailure): Failure {
  const { code, message, hint, ...data } = error;
  return new Failure(code, message, hint, { exit, data });
}

async function started({ data, surroundings }: Face, timeoutMs: number | undefined): Promise<Connected> {
  const { environment } = surroundings;
  try {
    return await connect({
      dataDir: data,
      version: VERSION,
      start: 'if-needed',
      environment,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    const hint = '`pal doctor` says what to do; PALIMPSEST_HOME=/some/folder chooses another folder';
    throw new Failure('data-directory', `the data directory ${data} cannot be used: ${error.message}`, hint);
  }
}

function notAFolder(directory: string): Failure {
  return new Failure(
    'not-a-folder',
    `${directory} is not a folder that can be read`,
    'name an existing folder with -C DIR, or leave it out to work here',
  );
}
