import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { some } from '../../../../test/search.fixture.js';
import { save, storeGit, value } from '../checkpoint/checkpoint.fixture.js';
import { closedAfter, openDatabase } from '../log/sqlite.js';
import { breakOperations, stage } from './stage.fixture.js';

test('[CHK8d] [CHK8e] a damaged log is set aside, what can be read of it stands, and nothing is removed while it is there', async () => {
  const at = await stage({ files: { 'a.txt': 'one\n' } });
  const agent = at.agent('S');
  await agent.readFile('a.txt');
  await agent.edit('a.txt', 'one', 'two');
  const saved = await save(at, 'kept');
  await agent.edit('a.txt', 'two', 'three');
  const lost = await save(at, 'its operation is lost');
  const before = await at.records();
  await at.close();
  const log = join(at.data, 'log.sqlite');
  breakOperations(log, `body LIKE '%${lost.commit}%'`);
  await at.open();
  expect(await at.records()).toEqual(before);
  expect((await at.workspace.checkpoints()).map(({ message }) => message)).toContain('kept');
  const { remarks } = await at.workspace.status();
  const aside = remarks.join('\n').match(/damaged log was set aside as (\S+), /)?.[1] ?? '';
  expect(existsSync(aside)).toBe(true);
  expect(value(await at.workspace.gc())).toMatchObject({ objects: 0, held: true });
  expect(storeGit(at, 'show', `${lost.commit}:a.txt`)).toBe('three');
  expect(storeGit(at, 'for-each-ref', '--format=%(objectname)')).toContain(lost.commit);
  value(await at.workspace.restore(saved.id));
  expect(at.read('a.txt')).toBe('two\n');
  rmSync(aside);
  expect(value(await at.workspace.gc()).held).toBe(false);
  expect(storeGit(at, 'for-each-ref', '--format=%(objectname)')).not.toContain(lost.commit);
});

test('[CHK8d] whichever operation a log has lost, the workspace opens, lists, saves and takes back', async () => {
  const at = await stage({ files: { 'a.txt': 'one\n', 'b.txt': 'b\n' } });
  const agent = at.agent('S');
  await agent.readFile('a.txt');
  await agent.edit('a.txt', 'one', 'two');
  at.write('b.txt', 'by hand\n');
  await agent.shell('echo more >> a.txt; mv b.txt c.txt');
  const [first] = value(await at.workspace.changes({ status: 'pending' }));
  value(await at.workspace.reject({ changes: [first?.id ?? ''] }));
  const saved = await save(at, 'saved');
  await agent.readFile('a.txt');
  await agent.edit('a.txt', 'more', 'less');
  value(await at.workspace.restore(saved.id));
  value(await at.workspace.undo());
  await at.close();
  const log = join(at.data, 'log.sqlite');
  const seqs = closedAfter(openDatabase(log, {}), (database) =>
    database
      .prepare('SELECT seq FROM operation')
      .all()
      .map(({ seq }) => Number(seq)),
  );
  expect(seqs.length).toBeGreaterThan(15);
  const whole = readFileSync(log);
  for (const seq of some(seqs, 3)) {
    writeFileSync(log, whole);
    breakOperations(log, `seq = ${seq}`);
    await at.open();
    rmSync(at.path('new.txt'), { force: true });
    expect(await at.agent('T').writeFile('new.txt', `${seq}\n`), String(seq)).toHaveLength(1);
    const mark = await save(at, 'mark');
    const changes = value(await at.workspace.changes({ status: 'all' }));
    expect(changes.length, String(seq)).toBeGreaterThan(2);
    value(await at.workspace.reject({ changes: [changes.at(-1)?.id ?? ''] }));
    value(await at.workspace.restore(mark.id));
    expect(at.read('new.txt')).toBe(`${seq}\n`);
    await at.close();
    for (const name of readdirSync(at.data)) if (/damaged/.test(name)) rmSync(join(at.data, name));
  }
});

test.each([
  ['gone', (log: string) => rmSync(log)],
  ['empty', (log: string) => writeFileSync(log, '')],
])('[CHK8d] a log that is %s: the checkpoints are kept for whoever wants them, and work goes on', async (_, lose) => {
  const at = await stage({ files: { 'a.txt': 'one\n' } });
  const saved = await save(at, 'kept');
  await at.close();
  lose(join(at.data, 'log.sqlite'));
  await at.open();
  expect((await at.workspace.status()).remarks.join('\n')).toContain('damaged log was set aside');
  await save(at, 'new');
  value(await at.workspace.gc());
  await at.reopen();
  expect(storeGit(at, 'for-each-ref', '--format=%(objectname)')).toContain(saved.commit);
});

test('[SRV5b] a store that could not be opened is not locked afterwards', async () => {
  const at = await stage({ kind: 'plain', files: { 'a.txt': 'one\n' } });
  await at.close();
  rmSync(join(at.data, 'content.git'), { recursive: true });
  writeFileSync(join(at.data, 'content.git'), '');
  await expect(at.open()).rejects.toThrow();
  rmSync(join(at.data, 'content.git'));
  await at.open();
  expect(await at.agent('S').writeFile('b.txt', 'b\n')).toHaveLength(1);
});
