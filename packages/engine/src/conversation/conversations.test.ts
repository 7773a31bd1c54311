import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refusal, value } from '../checkpoint/checkpoint.fixture.js';
import { missingIn } from '../stories/nothing-missing.fixture.js';
import { stage } from '../stories/stage.fixture.js';
import type { NewMessage } from './message.js';

const user = (text: string): NewMessage => ({
  history: 'model',
  form: 'anthropic',
  value: { role: 'user', content: text },
});

test('[CON1d] resuming gives exactly what was added, after a restart too', async () => {
  const at = await stage({ kind: 'plain' });
  const message = fc.record({
    history: fc.constantFrom('model', 'human'),
    form: fc.constantFrom('anthropic', 'blocks', 'openai', 'roo-ui'),
    json: fc
      .tuple(fc.dictionary(fc.string(), fc.json(), { maxKeys: 4 }), fc.nat(2), fc.constantFrom(0, 0, 0, 20_000))
      .map(([fields, indent, more]) => JSON.stringify({ ...fields, more: 'ü'.repeat(more) }, null, indent)),
  }) as fc.Arbitrary<NewMessage>;
  const given: NewMessage[] = [];
  for (const lot of fc.sample(fc.array(message, { minLength: 1, maxLength: 5 }), { numRuns: 40, seed: 7 })) {
    value(await at.workspace.conversations.add('s', lot));
    given.push(...lot);
  }
  const read = async () => value(await at.workspace.conversations.messages('s'));
  const said = (await read()).map(({ history, form, json }) => ({ history, form, json }));
  expect(said).toEqual(given);
  await at.reopen();
  expect((await read()).map(({ history, form, json }) => ({ history, form, json }))).toEqual(given);
  const human = value(await at.workspace.conversations.messages('s', { history: 'human' }));
  expect(human.map(({ json }) => json)).toEqual(given.filter((one) => one.history === 'human').map(({ json }) => json));
  expect(missingIn(at.data)).toEqual([]);
});

test('[CON1e] the two histories are linked with each other and with calls', async () => {
  const at = await stage({ kind: 'plain' });
  const answer = { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }] };
  const added = value(
    await at.workspace.conversations.add('s', [
      { history: 'model', form: 'anthropic', value: answer },
      { history: 'human', form: 'roo-ui', value: { type: 'say', say: 'tool' }, beside: { nth: 0 }, calls: ['toolu_1'] },
    ]),
  );
  expect(added).toMatchObject([{ calls: ['toolu_1'] }, { calls: ['toolu_1'], beside: added[0]!.seq }]);
  expect(await at.workspace.conversations.message(added[1]!.seq)).toEqual(added[1]);
  expect(await at.workspace.conversations.message(1)).toBeNull();
});

test('[CON1f] a part of it is read from either end', async () => {
  const at = await stage({ kind: 'plain' });
  for (let n = 1; n <= 5; n++) {
    value(await at.workspace.conversations.add('s', [user(`${n}`)]));
    value(await at.workspace.conversations.add('t', [user('another')]));
  }
  const said = async (query: object) =>
    value(await at.workspace.conversations.messages('s', query)).map(({ json }) => JSON.parse(json!).content as string);
  const all = value(await at.workspace.conversations.messages('s'));
  expect(await said({ limit: 2 })).toEqual(['1', '2']);
  expect(await said({ newest: true, limit: 2 })).toEqual(['4', '5']);
  expect(await said({ after: all[1]!.seq, upTo: all[3]!.seq })).toEqual(['3', '4']);
  expect(await said({ after: all[4]!.seq })).toEqual([]);
  for (const branch of [1, 99, -1, 0.5])
    expect(refusal(await at.workspace.conversations.messages('s', { branch }))).toMatchObject({ code: 'bad-input' });
});

test('[CON1g] all messages of a request are added or none, and what is no message is refused', async () => {
  const at = await stage({ kind: 'plain' });
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  for (const json of ['{', '"text"', '[]', 'null', deep])
    expect(
      refusal(await at.workspace.conversations.add('s', [user('fine'), { history: 'model', form: 'anthropic', json }])),
    ).toMatchObject({ code: 'bad-input', why: expect.stringContaining('message 2') });
  expect(refusal(await at.workspace.conversations.add('s', []))).toMatchObject({ code: 'bad-input' });
  expect(value(await at.workspace.conversations.messages('s'))).toEqual([]);
  expect(refusal(await at.workspace.conversations.messages('nobody'))).toMatchObject({ code: 'unknown-session' });
});

test('[CON1h] reading never writes', async () => {
  const at = await stage({ kind: 'plain' });
  value(await at.workspace.conversations.add('s', [user('hello'), user('x'.repeat(40_000))]));
  const before = [at.workspace.seq, footprint(at.data)];
  for (let n = 0; n < 3; n++) value(await at.workspace.conversations.messages('s'));
  expect([at.workspace.seq, footprint(at.data)]).toEqual(before);
});

test('[CON5e] what was said in a session that was deleted is not kept for good', async () => {
  const at = await stage({ kind: 'plain' });
  const long = user('x '.repeat(20_000));
  const [gone] = value(await at.workspace.conversations.add('s', [long]));
  value(await at.workspace.deleteSession('s'));
  const [kept] = value(await at.workspace.conversations.add('s', [user('y '.repeat(20_000))]));
  value(await at.workspace.gc());
  await at.reopen();
  expect((await at.workspace.conversations.message(gone!.seq))?.json).toBeNull();
  expect((await at.workspace.conversations.message(kept!.seq))?.json).toBe(kept!.json);
  expect(missingIn(at.data)).toEqual([]);
});

/** Every file of the data folder but those that say who is there, with its bytes or size. */
function footprint(data: string): readonly string[] {
  return readdirSync(data, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('cookies') && statSync(join(data, name)).isFile())
    .sort()
    .map((name) => (name.startsWith('log.sqlite') ? `${name} ${readFileSync(join(data, name), 'hex')}` : name));
}
