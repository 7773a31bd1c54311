import { statSync } from 'node:fs';
import type { Outcome } from '@palimpsest/core';
import type { Client, ClientFailure } from '@palimpsest/protocol';
import { createClient } from '@palimpsest/protocol/client';
import { VERSION } from '@palimpsest/protocol/light';
import { connect } from './connect.js';
import type { Face } from './face.js';
import { Failure } from './failure.js';
import { withProgress } from './print/progress.js';

/** The daemon, about the workspace of the folder that the command is about; started if it is not running. */
export async function clientOf(face: Face): Promise<Client> {
  if (statSync(face.directory, { throwIfNoEntry: false })?.isDirectory() !== true) throw notAFolder(face.directory);
  const connecting = () =>
    connect({ dataDir: face.data, version: VERSION, start: 'if-needed', environment: face.surroundings.environment });
  const { address } = said(await withProgress('starting the daemon', connecting));
  return createClient({ ...address, workspaceRoot: face.directory });
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
  return new Failure({ code, message, exit, data, ...(hint === undefined ? {} : { hint }) });
}

function notAFolder(directory: string): Failure {
  return new Failure({
    code: 'not-a-folder',
    message: `${directory} is not a folder that can be read`,
    hint: 'name an existing folder with -C DIR, or leave it out to work here',
  });
}
