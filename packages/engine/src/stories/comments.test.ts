import { expect, test } from 'vitest';
import { stage } from './stage.fixture.js';

const FILES = { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n' };

test('[REV14a] what a person says about lines reaches each session it is for, with its next message, until it heard', async () => {
  const at = await stage({ files: FILES });
  const [one, other] = [at.agent('S'), at.agent('T')];
  await one.readFile('a.txt');
  await other.readFile('b.txt');
  const said = await at.workspace.comment([
    { session: 'S', path: 'a.txt', lines: [2, 3], excerpt: 'two\nthree', text: 'say it in words' },
    { session: 'S', path: 'b.txt', text: 'and this too' },
    { session: 'T', path: 'b.txt', text: 'yours' },
  ]);
  if (!said.ok) throw new Error(said.error.code);
  const heard = (session: string) =>
    at.workspace.notices(session).map(({ kind, path, text }) => `${kind} ${path} ${text}`);
  expect(heard('S')).toEqual([
    'comment a.txt The person reviewing says about a.txt:2-3: say it in words These lines were meant:\n> two\n> three',
    'comment b.txt The person reviewing says about b.txt: and this too',
  ]);
  expect(heard('T')).toHaveLength(1);
  // Asking does not use it up; saying that it was heard does, and only for that session.
  expect(heard('S')).toHaveLength(2);
  await at.workspace.acknowledge('S', at.workspace.seq);
  expect([heard('S').length, heard('T').length]).toEqual([0, 1]);
  await at.reopen();
  expect([heard('S').length, heard('T').length]).toEqual([0, 1]);
});

test('[REV14b] of several comments all are taken or none', async () => {
  const at = await stage({ files: FILES });
  await at.agent('S').readFile('a.txt');
  const good = { session: 'S', path: 'a.txt', text: 'good' };
  for (const [bad, code] of [
    [{ ...good, session: 'nobody' }, 'unknown-session'],
    [{ ...good, path: '../outside' }, 'outside'],
    [{ ...good, text: ' \n' }, 'bad-input'],
    [{ ...good, lines: [3, 2] as const }, 'bad-input'],
  ] as const) {
    const answer = await at.workspace.comment([good, bad]);
    expect(answer).toMatchObject({ ok: false, error: { code } });
  }
  expect(await at.workspace.comment([])).toMatchObject({ ok: false });
  expect(at.workspace.notices('S')).toEqual([]);
});

test('[REV14c] what is forgotten is taken out of comments and their quotes', async () => {
  const secret = 'sesame-5f3a9c1e77';
  const at = await stage({ files: { ...FILES, 'key.txt': `${secret}\n` } });
  await at.agent('S').readFile('key.txt');
  await at.workspace.comment([{ session: 'S', path: 'key.txt', excerpt: secret, text: `never write ${secret}` }]);
  const forgotten = await at.workspace.forget({ what: 'key.txt' });
  if (!forgotten.ok) throw new Error(forgotten.error.code);
  expect(JSON.stringify(at.workspace.notices('S'))).not.toContain(secret);
});
