import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { breakOperations, stage } from './stage.fixture.js';

test('[SEC6] what is forgotten is nowhere in our data any more, and that it happened stays', async () => {
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

test('[SEC6] what is forgotten is not in a log that was set aside either', async () => {
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

test('[SEC6] a long input of a call is forgotten along with the bytes it was to write', async () => {
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

/** Every file of ours that holds the text, plain or as an object that git can read. */
function found(data: string, text: string): string {
  const script = `grep -rla -- '${text}' . ; GIT_DIR=content.git git cat-file --batch-all-objects --batch 2>/dev/null | grep -a -- '${text}'; true`;
  return execFileSync('bash', ['-c', script], { cwd: data, encoding: 'utf8' });
}
