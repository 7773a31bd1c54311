import type { Operation } from '@palimpsest/core';
import { instant, momentOf } from './instant.js';

type WithInstant<T> = T extends unknown ? Omit<T, 'at' | 'seq'> & { readonly seq: number; readonly at: string } : never;

/** An operation as it travels: the same but for its time, which is written as everywhere in the protocol. */
export type OperationJson = WithInstant<Operation>;

export function operationJson(operation: Operation): OperationJson {
  return { ...operation, at: instant(operation.at) } as OperationJson;
}

/** For the folds of the core, which every face runs on what it is told. */
export function operationOf(json: OperationJson): Operation {
  return { ...json, at: momentOf(json.at) } as Operation;
}
