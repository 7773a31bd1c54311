import { describe, expect, test } from 'vitest';
import type { Operation } from '../operation.js';
import { withTexts } from './operation-texts.js';
import { commonQuotes, looksLikeKey, quotesOf } from './quotes.js';
import { Secrets } from './secrets.js';

describe('secrets in a text', () => {
  const cases: readonly (readonly [string, readonly string[], string, string])[] = [
    ['as it is', ['hunter2'], 'say hunter2!', 'say [forgotten]!'],
    ['twice', ['hunter2'], 'hunter2hunter2', '[forgotten][forgotten]'],
    ['the longest wins', ['pass', 'password', 'password-1'], 'password-1 pass', '[forgotten] [forgotten]'],
    ['as JSON has it', ['a"b\\c\n'], 'x a\\"b\\\\c\\n y', 'x [forgotten] y'],
    ['as JSON in JSON has it', ['a"b.'], 'x a\\\\\\"b. y', 'x [forgotten] y'],
    ['other line endings', ['one\ntwo'], 'one\r\ntwo', '[forgotten]'],
    ['not a part of it', ['hunter2'], 'hunter hunter 2', 'hunter hunter 2'],
    ['too short to be found', ['abc'], 'abc abc', 'abc abc'],
    ['cut at the end', ['hunter2'], 'hunter', 'hunter'],
  ];
  test.each(cases)('[SEC6b] %s', (_, secrets, text, expected) => {
    const found = new Secrets(secrets);
    expect(found.without(text)).toBe(expected);
    expect(found.isIn(text)).toBe(text !== expected);
  });

  test('[SEC6b] many of them cost no more than one', () => {
    const many = new Secrets(Array.from({ length: 50_000 }, (_, n) => `const value${n} = ${n};`));
    const text = `${'const value = 1;\n'.repeat(5_000)}const value49999 = 49999;`;
    expect(many.without(text)).toBe(`${'const value = 1;\n'.repeat(5_000)}[forgotten]`);
  });
});

describe('what is quoted from a file', () => {
  test('[SEC6b] lines and made-up words, without what others have too', () => {
    const quotes = quotesOf(['import fs from "fs";\n}\nAPI_KEY="zebra-7f3a91"\nconst port = 80;\n']);
    expect([...quotes.words]).toEqual(['zebra-7f3a91']);
    const common = commonQuotes(quotes, '  import fs from "fs";\r\n}\n');
    expect([...common.lines]).toEqual(['import fs from "fs";']);
    expect([...commonQuotes(quotes, "key: 'zebra-7f3a91'").words]).toEqual(['zebra-7f3a91']);
    expect(['zebra-7f3a91', 'configuration', 'utf8'].map(looksLikeKey)).toEqual([true, false, false]);
  });
});

describe('the texts of an operation', () => {
  const secrets = new Secrets(['hunter2', '12345678']);
  const told = (body: object) => withTexts({ seq: 1, at: 1, ...body } as Operation, (text) => secrets.without(text));

  test('[SEC6c] texts go, ids and paths stay', () => {
    expect(told({ kind: 'prompted', session: 'hunter2', turn: 't', text: 'it is hunter2' })).toMatchObject({
      session: 'hunter2',
      text: 'it is [forgotten]',
    });
    expect(
      told({ kind: 'call-began', names: ['hunter2'], input: { json: '{"a":["hunter2\\n"],"n":1}' } }),
    ).toMatchObject({
      names: ['hunter2'],
      input: { json: '{"a":["[forgotten]\\n"],"n":1}' },
    });
    expect(
      told({ kind: 'decided', comment: 'no hunter2', rejections: [{ path: 'p', text: '+hunter2' }] }),
    ).toMatchObject({ comment: 'no [forgotten]', rejections: [{ path: 'p', text: '+[forgotten]' }] });
    expect(told({ kind: 'from-the-future', note: ['hunter2'] })).toMatchObject({ note: ['[forgotten]'] });
  });

  test('[SEC6b] what cannot be cut out of an input takes all of it along; what is not there changes nothing', () => {
    expect(told({ kind: 'call-began', names: [], input: { json: '{"pin":12345678}' } })).toMatchObject({ input: null });
    const operation = {
      seq: 1,
      at: 1,
      kind: 'prompted',
      session: 's',
      turn: 't',
      text: 'fine',
    } as unknown as Operation;
    expect(withTexts(operation, (text) => secrets.without(text))).toBe(operation);
  });
});
