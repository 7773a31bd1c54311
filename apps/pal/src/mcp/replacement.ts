import { AUTHORIZATION, bearer, CONTENT_TYPE, type DaemonAddress, JSON_TYPE } from '@palimpsest/protocol/light';
import { z } from 'zod';
import { failureOf } from '../door.js';
import { EXIT, Failure } from '../failure.js';
import type { Digest } from './file-door.js';
import { REPLACE_ROUTE, type ReplaceBody } from './replace-route.js';

/** One file that shall be replaced, if it is still what it was when that was decided. */
export type Replacement = { readonly path: string; readonly expected: Digest; readonly next: Uint8Array };

export async function askToReplace(address: DaemonAddress, workspace: string, asked: Replacement): Promise<void> {
  const body: z.infer<typeof ReplaceBody> = { ...asked, next: Buffer.from(asked.next).toString('base64') };
  const response = await sent(address, REPLACE_ROUTE.replace(':workspace', workspace), JSON.stringify(body));
  const text = await response.text();
  if (response.status >= 300) throw refusedWith(response.status, text);
}

async function sent({ fetch, baseUrl, token }: DaemonAddress, path: string, body: string) {
  const headers = { [AUTHORIZATION]: bearer(token), [CONTENT_TYPE]: JSON_TYPE };
  try {
    return await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure({ code: 'unreachable', message: `the daemon cannot be reached: ${why}` });
  }
}

const Refused = z.object({
  error: z.looseObject({ code: z.string(), message: z.string(), hint: z.string().optional() }),
});

function refusedWith(status: number, text: string): Failure {
  try {
    const { hint, ...error } = Refused.parse(JSON.parse(text)).error;
    return failureOf({ error: hint === undefined ? error : { ...error, hint }, exit: EXIT.failed, status });
  } catch {
    return new Failure({ code: 'bad-answer', message: `the daemon answered ${status} in a way that cannot be read` });
  }
}
