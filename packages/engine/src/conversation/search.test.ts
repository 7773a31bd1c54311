import { existsSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { refusal, value } from '../checkpoint/checkpoint.fixture.js';
import { type Stage, stage } from '../stories/stage.fixture.js';

const say = async (at: Stage, session: string, ...texts: readonly string[]) => {
  for (const text of texts)
    value(
      await at.workspace.conversations.add(session, [
        { history: 'model', form: 'anthropic', value: { role: 'user', content: text } },
      ]),
    );
};
const find = async (at: Stage, text: string, options = {}) =>
  value(await at.workspace.conversations.search(text, options)).map(({ excerpt }) => excerpt);

describe('search', () => {
  test.each([
    ['a word', 'login', ['fix the Login form']],
    ['all words, in any order', 'form fix', ['fix the Login form']],
    ['the beginning of a word', 'parseTask', ['call parseTaskMetadata(text)']],
    ['words as they stand', '"the login"', ['fix the Login form']],
    ['not words that stand elsewhere', '"login the"', []],
    ['accents or not', 'anderung', ['eine große Änderung']],
    ['a path', 'src/app.ts', ['look at src/app.ts:12']],
    ['a script without spaces', '登录', ['修复登录表单']],
    ['an operator as a word', 'AND', ['this AND that']],
    ['what only looks like a query', 'NEAR(a b) OR *', []],
    ['a quotation mark', '"unfinished', []],
  ])('[CON5a] finds %s: %s', async (_, text, excerpts) => {
    const at = await stage({ kind: 'plain' });
    await say(at, 's', 'fix the Login form', 'call parseTaskMetadata(text)', 'eine große Änderung');
    await say(at, 's', 'look at src/app.ts:12', '修复登录表单', 'this AND that');
    expect(await find(at, text)).toEqual(excerpts.map((one) => expect.stringContaining(one)));
  });

  test('[CON5a] prompts, answers and calls are found, of one session or of all, and each once', async () => {
    const at = await stage({ files: { 'a.txt': 'one' } });
    value(await at.workspace.startSession({ id: 's' }));
    value(await at.workspace.note({ kind: 'prompt', session: 's', text: 'please rename the walrus' }));
    await say(at, 's', 'please rename the walrus');
    await at.agent('t').writeFile('walrus.txt', 'x');
    const asked = { type: 'tool_use', id: 'call-1', name: 'Write', input: { file_path: 'walrus.txt', content: 'x' } };
    value(
      await at.workspace.conversations.add('t', [
        { history: 'model', form: 'anthropic', value: { role: 'assistant', content: [asked] } },
      ]),
    );
    const hits = value(await at.workspace.conversations.search('walrus'));
    expect(hits.map(({ session, role }) => `${session} ${role}`).sort()).toEqual(['s user', 't assistant']);
    expect(await find(at, 'walrus', { session: 't' })).toHaveLength(1);
    expect(refusal(await at.workspace.conversations.search('walrus', { session: 'nobody' }))).toMatchObject({
      code: 'unknown-session',
    });
    expect(refusal(await at.workspace.conversations.search('!?'))).toMatchObject({ code: 'bad-input' });
  });

  test('[CON5c] a deleted session is found no more', async () => {
    const at = await stage({ kind: 'plain' });
    await say(at, 's', 'a heron');
    expect(await find(at, 'heron')).toHaveLength(1);
    value(await at.workspace.deleteSession('s'));
    expect(await find(at, 'heron')).toEqual([]);
    await say(at, 's', 'another heron');
    expect(await find(at, 'heron')).toEqual(['another heron']);
  });

  test('[CON5d] an index that is lost or damaged is made anew from the log', async () => {
    const at = await stage({ kind: 'plain' });
    await say(at, 's', 'a heron');
    expect(await find(at, 'heron')).toHaveLength(1);
    for (const damage of [(file: string) => truncateSync(file, 5000), (file: string) => writeFileSync(file, 'no db')]) {
      await at.close();
      const file = join(at.data, 'search.sqlite');
      expect(existsSync(file)).toBe(true);
      for (const beside of ['-wal', '-shm']) rmSync(`${file}${beside}`, { force: true });
      damage(file);
      await at.open();
      expect(await find(at, 'heron')).toHaveLength(1);
    }
  });

  test('[CON1e] from a call one gets to its messages, and a message of a transcript is known by its id', async () => {
    const at = await stage({ kind: 'plain' });
    const asked = { type: 'tool_use', id: 'c1', name: 'Write', input: {} };
    const source = { kind: 'transcript', agent: 'claude', message: 'uuid-1' } as const;
    const [added] = value(
      await at.workspace.conversations.add('s', [
        { history: 'model', form: 'anthropic', value: { role: 'assistant', content: [asked] }, source },
      ]),
    );
    expect(await at.workspace.conversations.messagesOf('s', 'c1')).toEqual([added]);
    expect(await at.workspace.conversations.messagesOf('t', 'c1')).toEqual([]);
    const known = await at.workspace.conversations.knownSources('s', ['uuid-1', 'uuid-2']);
    expect([...known]).toEqual([['uuid-1', added!.seq]]);
  });
});
