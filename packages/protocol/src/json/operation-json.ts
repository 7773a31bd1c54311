import type { Operation } from '@palimpsest/core';
import { instant } from './instant.js';

type WithInstant<T> = T extends unknown ? Omit<T, 'at' | 'seq'> & { readonly seq: number; readonly at: string } : never;

/** An operation as it travels: the same but for its time, which is written as everywhere in the protocol. */
export type OperationJson = WithInstant<Operation>;

export function operationJson(operation: Operation): OperationJson {
  const at = instant(operation.at);
  if (operation.kind !== 'message-added' || operation.body === null || 'content' in operation.body)
    return { ...operation, at } as OperationJson;
  // What was said is asked for where it is wanted; here it is only told how much it is.
  return { ...operation, at, body: { chars: operation.body.json.length } } as unknown as OperationJson;
}
