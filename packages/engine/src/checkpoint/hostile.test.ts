import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../../../test/patience.fixture.js';
import { hashObject } from '../git/object-id.js';
import { openObjects } from '../git/objects.js';
import { fsck, testGit } from '../git/repository.fixture.js';
import { openWorkspace } from '../open-workspace.js';
import { EngineProcess } from '../stories/engine-process.fixture.js';
import { stage } from '../stories/stage.fixture.js';
import { photograph, save, value } from './checkpoint.fixture.js';

test('[CHK8h] hooks, templates, signing, autocrlf, filters and GIT_* around us change nothing', async () => {
  const traps = join((await stage()).folder, 'traps');
  mkdirSync(join(traps, 'hooks'), { recursive: true });
  const sprung = join(traps, 'sprung');
  for (const hook of ['pre-commit', 'post-commit', 'reference-transaction', 'post-checkout', 'post-index-change']) {
    writeFileSync(join(traps, 'hooks', hook), `#!/bin/sh\ntouch ${sprung}\nexit 1\n`);
    chmodSync(join(traps, 'hooks', hook), 0o755);
  }
  writeFileSync(
    join(traps, 'config'),
    `[core]\n\thooksPath = ${traps}/hooks\n\tautocrlf = true\n\tattributesFile = ${traps}/attributes\n` +
      `[init]\n\ttemplateDir = ${traps}\n[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = touch ${sprung}\n` +
      `[filter "lfs"]\n\tclean = touch ${sprung}; cat\n\tsmudge = touch ${sprung}; cat\n\trequired = true\n`,
  );
  writeFileSync(join(traps, 'attributes'), '* filter=lfs text eol=crlf\n');
  const environment = {
    ...process.env,
    HOME: traps,
    GIT_CONFIG_GLOBAL: join(traps, 'config'),
    GIT_DIR: join(traps, 'elsewhere.git'),
    GIT_WORK_TREE: traps,
    GIT_INDEX_FILE: join(traps, 'index'),
    GIT_OBJECT_DIRECTORY: join(traps, 'objects'),
    GIT_TEMPLATE_DIR: traps,
  };
  const at = await stage({ files: { 'a.txt': 'lf\n', 'b.txt': 'crlf\r\n' }, open: { environment } });
  const saved = await save(at);
  const before = photograph(at.root);
  at.write('a.txt', 'lf\nmore\r\n');
  at.write('b.txt', 'x');
  value(await at.workspace.gc());
  value(await at.workspace.restore(saved.id));
  expect(photograph(at.root)).toEqual(before);
  expect(existsSync(sprung)).toBe(false);
  expect(existsSync(join(traps, 'elsewhere.git')) || existsSync(join(traps, 'objects'))).toBe(false);
  expect(existsSync(join(at.data, 'content.git', 'hooks'))).toBe(false);
});

test('[CHK8a] an open change whose bytes are gone is said to be stuck, and one that was forgotten is not', async () => {
  const at = await stage({ kind: 'plain', files: { 'a.txt': 'one\n', 'b.txt': 'two\n', 'c.txt': 'three\n' } });
  await at.agent('S').shell('for f in a b c; do echo new $f > $f.txt; done');
  const [lost, secret] = ['one\n', 'three\n'].map((text) => hashObject('blob', Buffer.from(text)));
  value(await at.workspace.forget({ what: secret! }));
  await at.close();
  const objects = await openObjects(join(at.data, 'content.git'), { git: testGit, durability: 'lazy' });
  await objects.remove([lost!]);
  await objects.close();
  await at.open();
  const remarks = async () => (await at.workspace.status()).remarks.join();
  await until(async () => (await remarks()).includes('open changes'));
  expect(await remarks()).toMatch(/the stored bytes of 1 open changes are gone, among them c\d+\.1/);
});

test('[CHK8g] two processes: the second is told who has the workspace, and neither harms the other', async () => {
  const at = await stage({ files: { 'a.txt': '1' } });
  await at.close();
  const engine = await EngineProcess.start(at.root, at.data);
  const refused = await openWorkspace(at.root, { data: at.data, environment: process.env });
  expect(refused).toMatchObject({ ok: false, error: { code: 'held' } });
  const saves = Array.from({ length: 8 }, (_, n) => engine.ask<{ ok: boolean }>('saveCheckpoint', { message: `${n}` }));
  expect((await Promise.all(saves)).every(({ ok }) => ok)).toBe(true);
  await engine.kill();
  await at.open();
  expect((await at.workspace.checkpoints()).map(({ message }) => message)).toEqual(Array.from('01234567'));
  expect(fsck(join(at.data, 'content.git'))).toBe('');
});

test('[CHK8g] two saves at once are two checkpoints, one tree', async () => {
  const at = await stage({ files: { 'a.txt': '1' } });
  const saved = await Promise.all([save(at, 'one'), save(at, 'two'), save(at)]);
  expect(new Set(saved.map(({ id }) => id)).size).toBe(3);
  expect(new Set(saved.map(({ tree }) => tree)).size).toBe(1);
});

test('[CHK8c] a store that git cannot read is set aside, and work goes on with a remark', async () => {
  const at = await stage({ kind: 'plain', files: { 'a.txt': 'one\n' } });
  await save(at);
  await at.close();
  writeFileSync(join(at.data, 'content.git', 'config'), 'not a config\n[');
  at.write('a.txt', 'two\n');
  await at.open();
  expect((await at.workspace.status()).remarks.join('\n')).toMatch(/set aside/);
  const saved = await save(at, 'after');
  at.write('a.txt', 'three\n');
  value(await at.workspace.restore(saved.id));
  expect(at.read('a.txt')).toBe('two\n');
  const aside = (await at.workspace.status()).remarks.join('\n').match(/set aside as ([^\s;]+)/)?.[1] ?? '';
  expect(readFileSync(join(at.data, aside, 'config'), 'utf8')).toContain('not a config');
  expect((await at.workspace.checkpoints()).map(({ reason }) => reason)).toEqual(['manual', 'rescue']);
  rmSync(join(at.data, aside), { recursive: true });
});

test('[CAP9b] where git converts line endings, the bytes on disk are saved, also in the first second', async () => {
  const at = await stage({ kind: 'plain', files: { 'a.txt': 'one\r\ntwo\r\n' } });
  await at.close();
  rmSync(at.data, { recursive: true });
  at.shell(
    'git init -q && git config core.autocrlf true && git add -A && git commit -q -m one && sleep 0.1 && git status',
  );
  await at.open();
  value(await at.workspace.startSession({ id: 's' }));
  const saved = await save(at, 'early');
  at.write('a.txt', 'changed');
  await at.workspace.look();
  value(await at.workspace.restore(saved.id));
  expect(at.read('a.txt')).toBe('one\r\ntwo\r\n');
  expect((await at.workspace.checkpoints()).map(({ id }) => id)).toContain(saved.id);
});
