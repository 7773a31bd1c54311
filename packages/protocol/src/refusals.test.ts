import { expect, test } from 'vitest';
import { errorJson, exitOfError, type KnownRefusal, problemOf } from './refusals.js';

const told = (refusal: KnownRefusal) => {
  const { status, exit } = problemOf(refusal);
  return [status, exit];
};

test.each<[KnownRefusal, number, number]>([
  [{ code: 'unknown-change', change: 'c1.1' }, 404, 4],
  [{ code: 'bad-id', what: 'change', input: 'x' }, 404, 4],
  [{ code: 'bad-id', what: 'session', input: '' }, 400, 2],
  [{ code: 'moved', paths: ['a'], seq: 3 }, 409, 3],
  [{ code: 'outside', path: '/etc/passwd' }, 400, 2],
  [{ code: 'no-space' }, 507, 1],
  [{ code: 'wrong-origin', what: 'host' }, 403, 5],
  [{ code: 'not-a-folder', root: '/x' }, 404, 4],
])('[SRV1g] %j is told as %i and ends a process with %i', (refusal, status, exit) => {
  expect(told(refusal)).toEqual([status, exit]);
  expect(exitOfError(refusal.code, status)).toBe(exit);
});

test('[SRV1g] an error names its code, what happened, what to do, and the facts', () => {
  expect(errorJson({ code: 'moved', paths: ['a.ts'], seq: 7 })).toEqual({
    error: {
      code: 'moved',
      message: 'changed since you looked: a.ts',
      hint: 'look again, then decide again',
      paths: ['a.ts'],
      seq: 7,
    },
  });
});

test('[SRV1g] a fact cannot take the place of the code or the message', () => {
  const refusal = { code: 'no-space', message: 'forged' } as unknown as KnownRefusal;
  expect(errorJson(refusal).error.message).toContain('disk is full');
});

test('[SEC4g] hostile names are quoted and cut in messages', () => {
  const { message } = problemOf({ code: 'unknown-session', session: `\u001b[2J${'x'.repeat(5_000)}` });
  expect(message).not.toContain('\u001b');
  expect(message.length).toBeLessThan(400);
});

test.each([
  [404, 4],
  [409, 3],
  [403, 5],
  [400, 2],
  [500, 1],
])('[SRV1g] a code of a newer daemon with status %i ends a process with %i', (status, exit) => {
  expect(exitOfError('something-new', status)).toBe(exit);
});
