import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ENDPOINTS, idOfSegment, pathOf, segmentOf } from './endpoints.js';

const HOSTILE = [
  '.',
  '..',
  '~.',
  '~~..',
  '~',
  '../../etc/passwd',
  'a/b',
  'a%2Fb',
  '%2e%2e',
  'a?b#c',
  '\u0000\n\r',
  ' ',
  '…',
  ':',
  '{x}',
];

function expectOneSegment(id: string): void {
  const path = pathOf(ENDPOINTS.endSession, { workspace: '0123456789abcdef', session: id });
  const segments = new URL(path, 'http://127.0.0.1:1').pathname.split('/');
  expect(segments.slice(0, 5)).toEqual(['', 'v1', 'workspaces', '0123456789abcdef', 'sessions']);
  expect(segments.slice(6)).toEqual(['end']);
  expect(idOfSegment(decodeURIComponent(segments[5]!))).toBe(id);
}

test.each(HOSTILE)('[SEC4a] the id %j stays one segment of a path', (id) => expectOneSegment(id));

test('[SEC4a] any id stays one segment of a path, and comes out as it went in', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => expectOneSegment(id)));
});

test('[SEC4a] an id that needs no escape looks like itself', () => {
  expect(segmentOf('toolu_01-a.b')).toBe('toolu_01-a.b');
});

test('[SRV1f] a query names only what is given', () => {
  const query = { since: 3, limit: undefined, path: 'a b&c' };
  expect(pathOf(ENDPOINTS.listOperations, { workspace: 'w' }, query)).toBe(
    '/v1/workspaces/w/operations?since=3&path=a%20b%26c',
  );
});

test('[SRV1f] a path with a parameter missing is a bug', () => {
  expect(() => pathOf(ENDPOINTS.getSession, { workspace: 'w' })).toThrow('no session');
});
