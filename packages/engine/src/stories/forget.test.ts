import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { value } from '../checkpoint/checkpoint.fixture.js';
import { ownedIds } from '../git/owned.js';
import { breakOperations, type Stage, stage } from './stage.fixture.js';

test('[SEC6a] [SEC6c] what is forgotten is nowhere in our data any more, and that it happened stays', async () => {
  const secret = 'hunter2-very-secret';
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  const agent = on.agent('S');
  await agent.writeFile('.env', `PASSWORD=${secret}\n`);
  await agent.shell('echo PASSWORD=other > .env');
  const plan = await on.workspace.forget({ what: '.env', dryRun: true });
  expect(plan).toMatchObject({ ok: true, value: { calls: 2, onDisk: ['.env'] } });
  expect(found(on.data, secret)).not.toBe('');
  const done = await on.workspace.forget({ what: '.env' });
  expect(done.ok && done.value.contents).toHaveLength(2);
  expect(await on.records()).toEqual(['create .env S/Write exact', 'modify .env S/Bash window']);
  const changes = await on.workspace.changes({ status: 'all' });
  const before = await on.workspace.content((changes.ok && changes.value[0]?.file.after?.content) || '');
  expect(before).toMatchObject({ ok: false, error: { code: 'unknown-content' } });
  expect(on.read('.env')).toBe('PASSWORD=other\n');
  await on.close();
  expect(found(on.data, secret)).toBe('');
  await on.open();
  expect(await agent.shell('echo more >> a.txt')).toEqual(['modify a.txt S/Bash window']);
  expect(await on.workspace.forget({ what: 'never-there.txt' })).toMatchObject({
    ok: false,
    error: { code: 'no-such-file' },
  });
});

test('[CON5b] what is forgotten is in no message, in place or long, and in no search any more', async () => {
  const secret = 'hunter2-very-secret';
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  on.write('.env', `PASSWORD=${secret}\n`);
  await on.agent('S').readFile('.env');
  const result = (text: string) => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'c', content: text }],
  });
  const said = ['short', 'x '.repeat(20_000)].map((filler) => ({
    history: 'model' as const,
    form: 'anthropic' as const,
    value: result(`${filler}\nPASSWORD=${secret}\nkept-words`),
  }));
  value(await on.workspace.conversations.add('S', said));
  expect(value(await on.workspace.conversations.search(secret))).toHaveLength(1);
  value(await on.workspace.forget({ what: '.env' }));
  expect(value(await on.workspace.conversations.search(secret))).toEqual([]);
  expect(value(await on.workspace.conversations.search('kept-words'))).toHaveLength(1);
  const left = value(await on.workspace.conversations.messages('S'));
  expect(left.map(({ json }) => JSON.parse(json!).content[0].content.slice(-30))).toEqual([
    'short\n[forgotten]\nkept-words',
    expect.stringContaining('[forgotten]\nkept-words'),
  ]);
  await on.close();
  expect(found(on.data, secret)).toBe('');
});

test('[REV9d] a decision whose bytes were forgotten is passed over, and the others can be undone as before', async () => {
  const on = await stage({ files: { a: 'one\n', b: 'one\n' } });
  const agent = on.agent('S');
  await agent.readFile('a');
  await agent.edit('a', 'one', 'two');
  const first = value(await on.workspace.reject({ all: true }));
  await agent.writeFile('secret', 'hunter2-very-secret\n');
  const second = value(await on.workspace.reject({ all: true }));
  value(await on.workspace.forget({ what: 'secret' }));
  const foreseen = value(await on.workspace.undo({ dryRun: true }));
  expect(foreseen).toMatchObject({ operation: first.seq, written: ['a'], passedOver: [second.seq] });
  expect(value(await on.workspace.undo())).toMatchObject({ operation: first.seq, passedOver: [second.seq] });
  expect([on.read('a'), on.read('secret')]).toEqual(['two\n', null]);
  for (const dryRun of [true, false])
    expect(await on.workspace.undo({ dryRun })).toMatchObject({
      ok: false,
      error: { code: 'nothing-to-do', why: expect.stringContaining('bytes') },
    });
  expect(value(await on.workspace.redo())).toMatchObject({ written: ['a'], passedOver: [] });
  expect(on.read('a')).toBe('one\n');
  value(await on.workspace.undo());
  await on.reopen();
  await agent.readFile('b');
  await agent.edit('b', 'one', 'three');
  value(await on.workspace.reject({ path: 'b' }));
  expect(value(await on.workspace.undo())).toMatchObject({ written: ['b'], passedOver: [] });
  expect(on.read('b')).toBe('three\n');
});

test('[REV9d] what cannot be done again is passed over too', async () => {
  const on = await stage({ files: { a: 'one\n', secret: 'none\n' } });
  const agent = on.agent('S');
  await agent.readFile('a');
  await agent.edit('a', 'one', 'two');
  value(await on.workspace.reject({ all: true }));
  await agent.readFile('secret');
  await agent.edit('secret', 'none', 'hunter2-very-secret');
  value(await on.workspace.reject({ all: true }));
  value(await on.workspace.undo());
  const undone = value(await on.workspace.undo());
  expect(undone.written).toEqual(['a']);
  expect(value(await on.workspace.redo()).written).toEqual(['a']);
  value(await on.workspace.forget({ what: 'secret' }));
  expect([await on.workspace.redo({ dryRun: true }), await on.workspace.redo()]).toMatchObject([
    { ok: false, error: { code: 'nothing-to-do' } },
    { ok: false, error: { code: 'nothing-to-do' } },
  ]);
  expect(value(await on.workspace.undo())).toMatchObject({ written: ['a'] });
  expect(on.read('a')).toBe('two\n');
});

test('[SEC6a] what is forgotten is not in a log that was set aside either', async () => {
  const secret = 'hunter3-very-secret';
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  await on.agent('S').writeFile('.env', `PASSWORD=${secret}\n`);
  await on.close();
  breakOperations(join(on.data, 'log.sqlite'), 'seq = 1');
  await on.open();
  expect(found(on.data, secret)).toContain('.damaged-');
  expect(await on.workspace.forget({ what: '.env' })).toMatchObject({ ok: true });
  await on.close();
  expect(found(on.data, secret)).toBe('');
});

test('[SEC6b] a long input of a call is forgotten along with the bytes it was to write', async () => {
  const on = await stage();
  const secret = `${'secret '.repeat(4_000)}\n`;
  await on.agent('S').writeFile('key', secret);
  const began = on.workspace.operations(0, 100).find((operation) => operation.kind === 'call-began');
  const input =
    began?.kind === 'call-began' && began.input !== null && 'content' in began.input ? began.input.content : '';
  expect((await on.workspace.content(input)).ok).toBe(true);
  await on.workspace.forget({ what: on.path('key') });
  expect((await on.workspace.content(input)).ok).toBe(false);
});

test('[SEC6d] a kept file with the same key is named, and a text takes it along, encoded or not', async () => {
  const key = 'zebra-7f3a91c4-quokka';
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  const agent = on.agent('S');
  await agent.writeFile('.env', `import fs from 'fs'\nKEY=${key}\n`);
  await agent.writeFile('copy.json', `{"key":"${key}"}\n`);
  await agent.writeFile('code.ts', `import fs from 'fs'\n`);
  await on.workspace.note({ kind: 'prompt', session: 'S', text: `import fs from 'fs' and ${key} and KEY=${key}` });
  const plan = await on.workspace.forget({ what: '.env', dryRun: true });
  expect(plan).toMatchObject({ ok: true, value: { alsoIn: ['copy.json'], texts: 1 } });
  await on.workspace.forget({ what: '.env' });
  // The line was nowhere else, the key is in a file that is kept, and an import is nobody's secret.
  expect(prompts(on)).toEqual([`import fs from 'fs' and ${key} and [forgotten]`]);
  await agent.writeFile('encoded', `${Buffer.from(`x:${key}`).toString('base64')}\n`);
  await on.workspace.note({ kind: 'prompt', session: 'S', text: Buffer.from(key).toString('base64') });
  const done = await on.workspace.forget({ text: `${key}\n` });
  expect(done).toMatchObject({ ok: true, value: { onDisk: ['.env', 'copy.json', 'encoded'], texts: 2 } });
  expect(prompts(on)[0]).toBe(`import fs from 'fs' and [forgotten] and [forgotten]`);
  expect(prompts(on)[1]).toMatch(/^.{0,3}\[forgotten\].{0,4}$/);
  expect(await on.workspace.forget({ text: 'ab' })).toMatchObject({ ok: false, error: { code: 'bad-input' } });
  await on.close();
  expect(found(on.data, key)).toBe('');
});

test('[SEC6d] what the user’s git has is said, and is not taken from there again', async () => {
  const key = 'zebra-7f3a91c4-quokka';
  const on = await stage({ files: { '.env': `KEY=${key}\n`, 'a.txt': 'one\n' } });
  const done = await on.workspace.forget({ what: '.env' });
  const contents = done.ok ? done.value.contents : [];
  expect(done).toMatchObject({ ok: true, value: { onDisk: ['.env'], inGit: contents } });
  await on.agent('S').shell('echo KEY=other > .env');
  for (let opened = 0; opened < 2; opened++) {
    await on.reopen();
    await on.workspace.gc();
    expect(await ownedIds(join(on.data, 'content.git'))).not.toContain(contents[0]);
  }
  await on.close();
  expect(found(on.data, key)).toBe('');
});

test('[SEC6a] a call that is open keeps no copy of its input, in memory or in what is stored of it', async () => {
  const key = 'zebra-7f3a91c4-quokka';
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  const { callId } = await on.agent('S').begin('Bash', { command: `deploy ${key}` });
  on.write('.env', `${key}\n`);
  await on.workspace.look();
  await on.workspace.forget({ text: key });
  await on.close();
  expect(found(on.data, key)).toBe('');
  await on.open();
  on.write('.env', 'other\n');
  expect((await on.agent('S').end(callId)).known).toBe(true);
  await on.close();
  expect(found(on.data, key)).toBe('');
});

test('[SEC6e] what was forgotten cannot be taken back, brought back or undone, and is in nobody’s way', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  const agent = on.agent('S');
  const { id } = value(await on.workspace.saveCheckpoint());
  await agent.writeFile('.env', 'KEY=zebra-7f3a91c4\n');
  await agent.writeFile('b.txt', 'two\n');
  const late = value(await on.workspace.saveCheckpoint());
  value(await on.workspace.forget({ what: '.env' }));
  const rejected = value(await on.workspace.reject({ all: true }));
  expect([rejected.written, rejected.left.map(({ why }) => why)]).toEqual([['b.txt'], ['not-reversible']]);
  expect([on.read('.env'), on.read('b.txt')]).toEqual(['KEY=zebra-7f3a91c4\n', null]);
  value(await on.workspace.undo());
  expect(on.read('b.txt')).toBe('two\n');
  // A restore leaves it, whether it was there then or not, and says so.
  for (const checkpoint of [id, late.id]) {
    const done = value(await on.workspace.restore(checkpoint));
    expect([...done.conflicts, ...done.uncovered].map(({ path }) => path)).toEqual(['.env']);
    expect(on.read('.env')).toBe('KEY=zebra-7f3a91c4\n');
  }
  value(await on.workspace.gc());
  await on.reopen();
  expect(on.read('b.txt')).toBe('two\n');
  expect((await on.workspace.status()).remarks).toEqual([]);
});

test('[SEC6e] a rejection whose bytes were forgotten stays: undoing it is refused, and other decisions are not', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  const agent = on.agent('S');
  await agent.writeFile('.env', 'KEY=zebra-7f3a91c4\n');
  value(await on.workspace.reject({ all: true }));
  value(await on.workspace.forget({ what: '.env' }));
  expect(await on.workspace.undo()).toMatchObject({ ok: false, error: { code: 'nothing-to-do' } });
  await agent.readFile('a.txt');
  await agent.edit('a.txt', 'one', 'two');
  value(await on.workspace.reject({ all: true }));
  expect(on.read('a.txt')).toBe('one\n');
  value(await on.workspace.undo());
  expect(on.read('a.txt')).toBe('two\n');
});

const prompts = (on: Stage) =>
  on.workspace.operations(0, 1000).flatMap((operation) => (operation.kind === 'prompted' ? [operation.text] : []));

/** Every file of ours that holds the text, plain or as an object that git can read. */
function found(data: string, text: string): string {
  const script = `grep -rla -- '${text}' . ; mv content.git/objects/info/alternates . 2>/dev/null; GIT_DIR=content.git git cat-file --batch-all-objects --batch 2>/dev/null | grep -a -- '${text}'; true`;
  return execFileSync('bash', ['-c', script], { cwd: data, encoding: 'utf8' });
}
