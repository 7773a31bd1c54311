import { type Payload, payloadOf, textAt } from '../agents/payload.js';

/** A message of JSON-RPC as far as it is looked at. `key` tells ids apart: 1 and "1" are two. */
export type Message =
  | {
      readonly kind: 'request';
      readonly method: string;
      readonly key: string;
      readonly id: string | number;
      readonly params: Payload;
    }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Payload }
  | { readonly kind: 'answer'; readonly key: string; readonly result: Payload; readonly isError: boolean };

/** Null for whatever is none; it is passed on all the same. */
export function messageIn(line: Buffer): Message | null {
  const fields = parsed(line);
  const method = textAt(fields, 'method');
  const params = payloadOf(fields.params);
  const { id } = fields;
  if (id === undefined || id === null) return method === undefined ? null : { kind: 'notification', method, params };
  // JSON-RPC has no other ids, and one that is nested deeply could not even be written again.
  if (typeof id !== 'string' && typeof id !== 'number') return null;
  const key = JSON.stringify(id);
  if (method !== undefined) return { kind: 'request', method, key, id, params };
  return { kind: 'answer', key, result: payloadOf(fields.result), isError: fields.error !== undefined };
}

/** A message of ours as a line. */
export function lineOf(message: object): Buffer {
  return Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function parsed(line: Buffer): Payload {
  try {
    return payloadOf(JSON.parse(line.toString('utf8')));
  } catch {
    return {}; // Agents print other things too.
  }
}
