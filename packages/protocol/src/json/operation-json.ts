import type { Operation } from '@palimpsest/core';
import { instant } from './instant.js';

type WithInstant<T> = T extends unknown ? Omit<T, 'at' | 'seq'> & { readonly seq: number; readonly at: string } : never;

/** An operation as it travels: the same but for its time, which is written as everywhere in the protocol. */
export type OperationJson = WithInstant<Operation>;

export function operationJson(operation: Operation): OperationJson {
  return { ...operation, at: instant(operation.at) } as OperationJson;
}
