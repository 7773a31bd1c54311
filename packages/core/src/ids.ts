import { failed, type Outcome, ok } from './outcome.js';

declare const idBrand: unique symbol;
type Branded<Base, Name extends string> = Base & { readonly [idBrand]: Name };

/** Position of an operation in the log of one workspace; strictly increasing, starting at 1. */
export type Seq = Branded<number, 'seq'>;
/** The git blob id of some bytes; for a symlink, of its target. */
export type ContentId = Branded<string, 'content'>;
/** Named by the agent, or by us; any text. It never becomes part of a file name. */
export type SessionId = Branded<string, 'session'>;
/** Named by the agent; any text, unique within its session. It never becomes part of a file name. */
export type CallId = Branded<string, 'call'>;
/** `c<seq>.<n>`: the n-th file of the operation `seq`, counted from 1. */
export type ChangeId = Branded<string, 'change'>;
/** `c<seq>.<n>.<m>`: the m-th hunk of a change, counted from 1. */
export type HunkId = Branded<string, 'hunk'>;
/** `k<seq>`: the checkpoint that operation `seq` saved. */
export type CheckpointId = Branded<string, 'checkpoint'>;
/** `f<seq>.<n>`: the n-th conflict that operation `seq` met between two places. */
export type FlowConflictId = Branded<string, 'flow-conflict'>;

type IdError = { readonly code: 'bad-id'; readonly what: string; readonly input: string };

/** Ids that agents choose may be long, but not so long that a log row becomes a document. */
export const FOREIGN_ID_LENGTH_LIMIT = 1024;

export const parseSessionId = (input: string) => parseForeign<SessionId>('session', input);
export const parseCallId = (input: string) => parseForeign<CallId>('call', input);
export const parseContentId = (input: string) => parseShape<ContentId>('content', /^[0-9a-f]{40}$/, input);
export const parseChangeId = (input: string) => parseShape<ChangeId>('change', /^c[1-9]\d*\.[1-9]\d*$/, input);
export const parseHunkId = (input: string) => parseShape<HunkId>('hunk', /^c[1-9]\d*\.[1-9]\d*\.[1-9]\d*$/, input);
export const parseCheckpointId = (input: string) => parseShape<CheckpointId>('checkpoint', /^k[1-9]\d*$/, input);

/** `c7`: all changes of operation 7. */
export const parseOperationName = (input: string) =>
  /^c[1-9]\d*$/.test(input) ? (Number(input.slice(1)) as Seq) : null;

export const asSeq = (value: number) => value as Seq;
export const asSessionId = (value: string) => trusted(parseSessionId(value));
export const asCallId = (value: string) => trusted(parseCallId(value));
export const asContentId = (value: string) => trusted(parseContentId(value));

export const changeId = (seq: Seq, index: number) => `c${seq}.${index + 1}` as ChangeId;
export const hunkId = (change: ChangeId, index: number) => `${change}.${index + 1}` as HunkId;
export const flowConflictId = (seq: Seq, index: number) => `f${seq}.${index + 1}` as FlowConflictId;
export const parseFlowConflictId = (input: string) =>
  parseShape<FlowConflictId>('conflict', /^f[1-9]\d*\.[1-9]\d*$/, input);
export const checkpointId = (seq: Seq) => `k${seq}` as CheckpointId;

export const seqOfChange = (id: ChangeId) => Number(id.slice(1, id.indexOf('.'))) as Seq;
export const indexOfChange = (id: ChangeId) => Number(id.slice(id.indexOf('.') + 1)) - 1;
/** The change that is meant, or whose hunk is meant. */
export const changeNamed = (id: ChangeId | HunkId) => id.split('.').slice(0, 2).join('.') as ChangeId;
export const changeOfHunk = (id: HunkId) => id.slice(0, id.lastIndexOf('.')) as ChangeId;
export const indexOfHunk = (id: HunkId) => Number(id.slice(id.lastIndexOf('.') + 1)) - 1;

function parseForeign<T extends string>(what: string, input: string): Outcome<T, IdError> {
  return input.length > 0 && input.length <= FOREIGN_ID_LENGTH_LIMIT
    ? ok(input as T)
    : failed({ code: 'bad-id', what, input });
}

function parseShape<T extends string>(what: string, shape: RegExp, input: string): Outcome<T, IdError> {
  return shape.test(input) ? ok(input as T) : failed({ code: 'bad-id', what, input });
}

function trusted<T>(parsed: Outcome<T, IdError>): T {
  if (!parsed.ok) throw new Error(`bad ${parsed.error.what} id: ${JSON.stringify(parsed.error.input)}`);
  return parsed.value;
}
