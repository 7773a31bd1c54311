import type { Seq } from '../ids.js';
import { isKnownKind, type Operation } from '../operation.js';

/**
 * A view is a fold over the log. Laws, held by tests for every view:
 * - folding a prefix and then the rest gives the same as folding all;
 * - `decode(encode(state))` folds on exactly as `state` does;
 * - an operation of an unknown kind changes nothing.
 *
 * `apply` may change and return the state that it is given: the caller gives it up. Nothing outside the log goes in.
 */
export interface View<State> {
  readonly name: string;
  /** Raised when `apply` or the encoding changes meaning, so that stored states of the old one are thrown away. */
  readonly version: number;
  empty(): State;
  apply(state: State, operation: Operation): State;
  encode(state: State): unknown;
  decode(encoded: unknown): State;
}

/** A state and the point of the log it stands for. */
export type Folded<State> = { readonly seq: Seq | 0; readonly state: State };

export function nothingFolded<State>(view: View<State>): Folded<State> {
  return { seq: 0, state: view.empty() };
}

export function advance<State>(view: View<State>, folded: Folded<State>, operation: Operation): Folded<State> {
  if (operation.seq <= folded.seq) {
    throw new Error(`view ${view.name} is at ${folded.seq} and was given operation ${operation.seq}`);
  }
  const state = isKnownKind(operation.kind) ? view.apply(folded.state, operation) : folded.state;
  return { seq: operation.seq, state };
}

export function foldAll<State>(
  view: View<State>,
  operations: Iterable<Operation>,
  from = nothingFolded(view),
): Folded<State> {
  let folded = from;
  for (const operation of operations) folded = advance(view, folded, operation);
  return folded;
}
