import {
  asCallId,
  asContentId,
  asPath,
  asSeq,
  asSessionId,
  type Changed,
  entriesOf,
  type Operation,
} from '@palimpsest/core';
import { expect, test } from 'vitest';
import { Change } from '../schemas/change.js';
import { OperationSchema } from '../schemas/operation.js';
import { Session } from '../schemas/session.js';
import { StaleFile } from '../schemas/stale.js';
import { changeJson } from './change-json.js';
import { instant } from './instant.js';
import { operationJson } from './operation-json.js';
import { countBySession, sessionJson } from './session-json.js';
import { staleJson } from './stale-json.js';

const content = (digit: string) => asContentId(digit.repeat(40));
const session = asSessionId('s');

function changed(fields: Partial<Changed>): Operation {
  const span = { oldStart: 2, oldLines: 1, newStart: 2, newLines: 3 };
  return {
    seq: asSeq(7),
    at: Date.UTC(2026, 0, 2),
    kind: 'changed',
    author: { kind: 'agent', session, agent: 'claude', call: asCallId('call'), tool: 'Edit' },
    evidence: 'exact',
    files: [
      {
        path: asPath('b.ts'),
        before: { content: content('a'), mode: '100644', size: 10 },
        after: { content: content('b'), mode: '100755', size: 30 },
        binary: false,
        reversible: true,
        spans: [span],
      },
    ],
    ...fields,
  };
}

test('[REC1a] a change of an agent is told in full', () => {
  const json = changeJson(entriesOf(changed({ turn: 't1', agentId: 'sub', messageIndex: 4 }))[0]!, () => undefined);
  expect(Change.strict().parse(json)).toEqual(json);
  expect(json).toMatchObject({
    id: 'c7.1',
    seq: 7,
    session: 's',
    agent: 'claude',
    agentId: 'sub',
    turn: 't1',
    messageIndex: 4,
    callId: 'call',
    tool: 'Edit',
    path: 'b.ts',
    kind: 'modify',
    before: { content: 'a'.repeat(40), mode: '100644' },
    after: { content: 'b'.repeat(40), mode: '100755' },
    evidence: 'exact',
    status: 'pending',
    added: 3,
    removed: 1,
    hunks: [{ id: 'c7.1.1', oldStart: 2, oldLines: 1, newStart: 2, newLines: 3, status: 'pending', now: [[2, 4]] }],
    at: '2026-01-02T00:00:00.000Z',
  });
});

test('[REC1a] a change of unknown hands has no session, and names who may have made it', () => {
  const author = { kind: 'unknown', candidates: [{ session, call: asCallId('c') }] } as const;
  const json = changeJson(
    entriesOf(changed({ author, evidence: 'unknown', cause: 'git checkout' }))[0]!,
    () => 'claude',
  );
  expect(json).toMatchObject({ session: null, agent: null, callId: null, tool: null, author: { kind: 'unknown' } });
  expect(json).toMatchObject({
    candidates: [{ session: 's', callId: 'c', agent: 'claude' }],
    cause: 'git checkout',
    status: 'pending',
  });
});

test('[REC1e] a session tells how many of its changes wait', () => {
  const state = {
    id: session,
    agent: 'a',
    title: 't',
    state: 'ended',
    startedAt: 0,
    endedAt: 1,
    worktree: null,
    turn: null,
    prompt: null,
    parent: null,
    model: null,
  } as const;
  const entries = entriesOf(changed({}));
  const json = sessionJson(state, countBySession([...entries, ...entries]).get('s') ?? 0);
  expect(Session.strict().parse(json)).toEqual(json);
  expect(json).toMatchObject({ state: 'ended', endedAt: '1970-01-01T00:00:00.001Z', pending: 2 });
});

test('[FRE3a] what was seen is told with its lines', () => {
  const seen = { content: content('c'), at: 0, lines: [{ from: 1, to: 9 }] };
  const json = staleJson({ session: 's', path: 'a', state: 'missing', seen, now: null, visible: true });
  expect(StaleFile.strict().parse(json)).toEqual(json);
  expect(json.seen.lines).toEqual([[1, 9]]);
});

test('[SRV1c] an operation comes back from the wire as it was', () => {
  const operation = changed({});
  const wire = JSON.parse(JSON.stringify(operationJson(operation))) as ReturnType<typeof operationJson>;
  expect(OperationSchema.safeParse(wire).success).toBe(true);
  expect({ ...wire, at: Date.parse(wire.at) }).toEqual(operation);
});

test('[SRV5l] a clock that has jumped beyond all dates is still told', () => {
  expect(instant(1e300)).toBe('+275760-09-13T00:00:00.000Z');
});
