import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventParser, encodeEvent, KEEPALIVE, type ServerEvent } from './sse.js';

const read = (...chunks: readonly string[]) => {
  const parser = new EventParser();
  return chunks.flatMap((chunk) => parser.push(chunk));
};

test('[SRV1h] what is encoded is read back, however the bytes are cut', () => {
  const event = fc.record({
    event: fc.constantFrom('operation', 'reset'),
    data: fc.json(),
    id: fc.nat().map(String),
  });
  fc.assert(
    fc.property(fc.array(event), fc.array(fc.nat({ max: 40 })), (events: readonly ServerEvent[], cuts) => {
      const text = events.map(encodeEvent).join(KEEPALIVE);
      const pieces: string[] = [];
      let rest = text;
      for (const cut of cuts) {
        pieces.push(rest.slice(0, cut));
        rest = rest.slice(cut);
      }
      expect(read(...pieces, rest)).toEqual(events);
    }),
  );
});

test.each([
  ['line feeds', 'id: 1\nevent: a\ndata: x\n\n'],
  ['carriage returns', 'id: 1\revent: a\rdata: x\r\r:'],
  ['both', 'id: 1\r\nevent: a\r\ndata: x\r\n\r\n'],
  ['a mark at the start', '\uFEFFid: 1\nevent: a\ndata: x\n\n'],
  ['no space after the colon', 'id:1\nevent:a\ndata:x\n\n'],
])('[SRV1h] an event is read with %s', (_, text) => {
  expect(read(text)).toEqual([{ event: 'a', data: 'x', id: '1' }]);
});

test('[SRV1h] a pair of line ends that is cut in two is one line end', () => {
  expect(read('data: x\r', '\n\r', '\n')).toEqual([{ event: 'message', data: 'x', id: null }]);
});

test('[SRV1h] comments and events without data say nothing', () => {
  expect(read(KEEPALIVE, 'event: a\n\n', ': hi\n\n')).toEqual([]);
});

test('[SRV1h] several lines of data are one text, and an id stays until the next', () => {
  expect(read('id: 7\ndata: a\ndata: b\n\n', 'data: c\n\n')).toEqual([
    { event: 'message', data: 'a\nb', id: '7' },
    { event: 'message', data: 'c', id: '7' },
  ]);
});
