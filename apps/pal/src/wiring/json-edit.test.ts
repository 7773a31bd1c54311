import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appendItem, jsonValue, removeItems } from './json-edit.js';

const OURS = 'ours';
const isOurs = (item: unknown) => item === OURS;
const add = (text: string) => appendItem(text, ['hooks', 'Pre'], OURS);
const remove = (text: string) => removeItems(text, ['hooks', 'Pre'], isOurs);

/** Of these the last line is what a list that did not exist before looks like. */
const TEXTS = [
  '{}',
  '{}\n',
  '{\n}\n',
  '{"a":1}',
  '{ "a": 1, "hooks": {"Other": []} }',
  '{\n  "a": 1\n}\n',
  '{\n\t"a": [1, 2],\n\t"hooks": {\n\t\t"Pre": ["theirs"]\n\t}\n}\n',
  '{\r\n    "hooks": {\r\n        "Post": []\r\n    }\r\n}\r\n',
  '{\n  // why\n  "a": 1, // one\n  /* two */ "hooks": { "Pre": [ "theirs" /* kept */ ] },\n}\n',
  '{\n  "hooks": {\n    "Pre": [\n      "theirs",\n    ],\n  },\n}\n',
  '\uFEFF{\n  "a": "// no comment"\n}',
];

describe('changing JSON in place', () => {
  test.each(TEXTS)('[AGT1a] added and taken away again: %j', (text) => {
    const added = add(text)!;
    const values = jsonValue(added) as { hooks: { Pre: unknown[] } };
    expect(values.hooks.Pre.at(-1)).toBe(OURS);
    // Empty space in an empty object is the one thing that is not kept.
    expect(remove(added)!.replace(/\{\s*\}/g, '{}')).toBe(text.replace(/\{\s*\}/g, '{}'));
  });

  test('[AGT1a] any JSON in any indentation keeps its order and values', () => {
    const key = fc.string({ maxLength: 5 }).filter((name) => name !== '__proto__' && name !== 'hooks');
    const json = fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true });
    fc.assert(
      fc.property(json, fc.constantFrom('', '  ', '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const added = add(text)!;
        expect(jsonValue(added)).toEqual({ ...JSON.parse(text), hooks: { Pre: [OURS] } });
        expect(remove(added)).toBe(text);
      }),
    );
  });

  test('[AGT1a] what stands beside ours stays, whatever came after', () => {
    const between = appendItem(
      add('{\n  "hooks": {\n    "Pre": [\n      "a"\n    ]\n  }\n}\n')!,
      ['hooks', 'Pre'],
      'b',
    )!;
    expect(remove(between)).toBe('{\n  "hooks": {\n    "Pre": [\n      "a",\n      "b"\n    ]\n  }\n}\n');
  });

  test.each(['', 'nonsense', '{"a":1', '[]', '{"hooks": 7}', '{"hooks": {"Pre": {}}}', '{"a":1} {"b":2}'])(
    '[AGT1a] %j is left alone',
    (text) => expect(add(text)).toBeNull(),
  );
});
