import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinJsonArray, splitJsonArray, withItems } from './json-array.js';

describe('a list in a JSON text', () => {
  test('[CON2d] is cut and joined byte for byte, however it is written', () => {
    const space = fc.constantFrom('', ' ', '\n', '\t', '\r\n  ');
    const wrap = fc.constantFrom('array', 'object');
    fc.assert(
      fc.property(
        fc.array(fc.json({ depthSize: 'medium' })),
        space,
        space,
        wrap,
        fc.nat(4),
        (items, a, b, kind, indent) => {
          const values = items.map((item) => JSON.parse(item) as unknown);
          const odd = `${a}[${b}${items.join(`${a},${b}`)}${a}]${b}`;
          const pretty = JSON.stringify(values, null, indent);
          for (const list of [odd, pretty]) {
            const text =
              kind === 'array' ? list : `{"messages":1,"x":{"messages":[0]},${a}"messages"${b}:${list},"y":"]"}`;
            const split = splitJsonArray(text, 'messages');
            if (!split.ok) throw new Error(JSON.stringify(split.error));
            expect(joinJsonArray(split.value)).toBe(text);
            expect(split.value.items.map((item) => JSON.parse(item) as unknown)).toEqual(values);
            const more = joinJsonArray(withItems(split.value, [...split.value.items, '7']));
            const read = JSON.parse(more) as { messages: unknown[] } & unknown[];
            expect(kind === 'array' ? read : read.messages).toEqual([...values, 7]);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test.each(['', '{', '{}', '"[]"', 'null', '{"messages":{}}'])('[CON2a] %j holds none', (text) => {
    expect(splitJsonArray(text, 'messages').ok).toBe(false);
  });
});
