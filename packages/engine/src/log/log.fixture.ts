import {
  asCallId,
  asContentId,
  asPath,
  asSessionId,
  type Changed,
  type FileChange,
  HUMAN,
  type OperationBody,
  type Shown,
  trustPath,
} from '@palimpsest/core';
import type { FileState } from './log.js';

/** A content id made from a number, so that tests can say which is which. */
export const content = (n: number) => asContentId(n.toString(16).padStart(40, '0'));

export const prompted = (text: string, session = 's'): OperationBody => ({
  kind: 'prompted',
  session: asSessionId(session),
  turn: 't',
  text,
});

export const fileChange = (path: string, fromPath?: string): FileChange => ({
  path: asPath(path),
  ...(fromPath === undefined ? {} : { fromPath: asPath(fromPath) }),
  before: { content: content(1), mode: '100644', size: 1 },
  after: { content: content(2), mode: '100644', size: 2 },
  binary: false,
  reversible: true,
  spans: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 2 }],
});

export const changedByHuman = (...files: readonly FileChange[]): Changed => ({
  kind: 'changed',
  author: HUMAN,
  evidence: 'window',
  files,
});

export const changedByCall = (session: string, call: string, ...files: readonly FileChange[]): Changed => ({
  kind: 'changed',
  author: { kind: 'agent', session: asSessionId(session), agent: 'a', call: asCallId(call), tool: 'Edit' },
  evidence: 'exact',
  files,
});

export const shown = (session: string, ...paths: readonly string[]): Shown => ({
  kind: 'shown',
  session: asSessionId(session),
  source: 'read',
  files: paths.map((path) => ({ path: asPath(path), content: content(1), lines: { from: 1, to: 3 } })),
});

export const fileState = (path: string, size = 1): FileState => ({
  path: trustPath(path),
  mode: '100644',
  content: content(size),
  size,
  mtimeMs: 1_700_000_000_000.123,
  ctimeMs: 1_700_000_000_001.5,
  ino: 2 ** 60,
  kept: true,
  explicit: false,
});
