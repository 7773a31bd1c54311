import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newFolder } from '../../../../test/folder.fixture.js';
import { until } from '../../../../test/patience.fixture.js';
import { userGit } from '../git/repository.fixture.js';
import { EngineProcess } from './engine-process.fixture.js';
import { missingIn } from './nothing-missing.fixture.js';
import { type Stage, stage } from './stage.fixture.js';

const folder = newFolder();

const FILES = 100;
const original = (n: number) => `original ${n}\n`.repeat(20);
const many = Object.fromEntries(Array.from({ length: FILES }, (_, n) => [`src/f${n}.txt`, original(n)]));
/** Each beginning of git takes a while, as on a busy machine. */
const unable = { ...process.env, PATH: withoutPacking() };
const slowly = { environment: { ...process.env, PATH: withSlowGit() } };

test('[CHK6d] nothing that the log names goes when borrowing ends while calls write over everything', async () => {
  const s = await stage({ files: many, open: slowly });
  for (let call = 0; call < 12; call++) {
    await s.agent('a').call('Bash', { command: `generate ${call}` }, () => {
      for (let n = 0; n < FILES; n++) s.write(`src/f${n}.txt`, `${call}\n${original(n)}`);
    });
  }
  await untilOwned(s);
  await s.reopen();
  expect(missingIn(s.data)).toEqual([]);
  const all = await s.workspace.changes({ status: 'all' });
  const first = all.ok ? all.value.find(({ file }) => file.path === 'src/f0.txt') : undefined;
  const rejected = await s.workspace.reject({ changes: [first!.id] });
  expect(rejected).toMatchObject({ ok: true, value: { conflicts: [] } });
  expect(s.read('src/f0.txt')).toBe(original(0));
});

describe('[CHK6d] what was saved can be restored whatever becomes of the repository that it was borrowed from', () => {
  const ways: Readonly<Record<string, (s: Stage) => void>> = {
    'it is removed': (s) => s.remove('.git'),
    'it moves away': (s) => renameSync(s.path('.git'), join(s.folder, 'elsewhere')),
    'it starts anew': (s) => {
      s.remove('.git');
      s.git('init', '-q');
    },
    'it forgets all': (s) => {
      s.git('update-ref', '-d', 'HEAD');
      rmSync(s.path('.git/index'));
      s.git('reflog', 'expire', '--expire=now', '--all');
      s.git('gc', '-q', '--prune=now');
    },
    'it is packed anew': (s) => s.git('repack', '-q', '-a', '-d', '-f'),
  };
  test.each(Object.entries(ways))('%s', async (_, leave) => {
    const s = await stage({ files: many });
    const saved = await savedAndOurs(s);
    leave(s);
    for (let n = 0; n < FILES; n++) s.write(`src/f${n}.txt`, 'over\n');
    expect(await s.workspace.restore(saved.id)).toMatchObject({ ok: true });
    for (let n = 0; n < FILES; n++) expect(s.read(`src/f${n}.txt`)).toBe(original(n));
    expect((await s.workspace.status()).store.onLoan).toBe(false);
    expect(missingIn(s.data)).toEqual([]);
  });
});

test('[CHK6d] a repository that is gone before anything was copied is replaced by the files on disk', async () => {
  const s = await stage({ files: many, open: slowly });
  s.remove('.git');
  const saved = await s.workspace.saveCheckpoint();
  if (!saved.ok) throw new Error(saved.error.code);
  await untilOwned(s);
  s.write('src/f7.txt', 'over\n');
  expect(await s.workspace.restore(saved.value.id)).toMatchObject({ ok: true });
  expect(s.read('src/f7.txt')).toBe(original(7));
  expect(missingIn(s.data)).toEqual([]);
});

test('[CHK6e] while something is on loan, the checkpoint and the status say so', async () => {
  const s = await stage({ files: many, open: { environment: unable } });
  const saved = await s.workspace.saveCheckpoint();
  expect(saved).toMatchObject({ ok: true, value: { onLoan: true } });
  expect(await s.workspace.checkpoints()).toMatchObject([{ onLoan: true }]);
  expect((await s.workspace.status()).store.onLoan).toBe(true);
  await s.workspace.stockTaken();
});

test('[CHK6f] [I2] what a call writes over is ours before it runs, if it names it, and otherwise once it is on record', async () => {
  const s = await stage({ files: { 'named.txt': 'one\n', 'other.txt': 'two\n' }, open: slowly });
  await s.agent('a').shell("cp other.txt copy && python3 -c \"open('other.txt', 'w').write('new')\"");
  const call = await s.agent('a').begin('Bash', { command: 'echo new > named.txt' });
  s.remove('.git');
  s.write('named.txt', 'new\n');
  await s.agent('a').end(call.callId);
  const all = await s.workspace.changes({ status: 'all' });
  if (!all.ok) throw new Error(all.error.code);
  expect(all.value.map(({ file }) => [file.path, file.reversible])).toEqual([
    ['copy', true],
    ['other.txt', true],
    ['named.txt', true],
  ]);
  expect(missingIn(s.data)).toEqual([]);
  await s.reopen();
  await untilOwned(s);
  expect(missingIn(s.data)).toEqual([]);
});

test('[SEC6a] what is forgotten while it is on loan does not come to us, not even after a restart', async () => {
  const s = await stage({ files: { ...many, secret: 'hunter2\n' }, open: { environment: unable } });
  const id = s.git('hash-object', 'secret').trim();
  expect(await s.workspace.forget({ what: 'secret' })).toMatchObject({ ok: true, value: { contents: [id] } });
  expect(await s.workspace.saveCheckpoint()).toMatchObject({ ok: true, value: { onLoan: true } });
  await s.close();
  rmSync(join(folder, 'packless'), { recursive: true });
  await s.open();
  await untilOwned(s);
  expect(await s.workspace.content(id)).toMatchObject({ ok: false });
  s.touch('secret');
  await s.workspace.look();
  expect(await s.workspace.content(id)).toMatchObject({ ok: false });
  expect(missingIn(s.data)).toEqual([]);
});

test('[CHK6d] what was on loan when we were killed is still read, and becomes ours after', async () => {
  const s = await stage({ kind: 'git', files: many });
  await s.close();
  for (let round = 0; round < 3; round++) {
    rmSync(s.data, { recursive: true, force: true });
    s.git('checkout', '-q', '.');
    const engine = await EngineProcess.start(s.root, s.data);
    const call = { session: 'a', callId: `call-${round}` };
    await engine.begin({ ...call, tool: 'Bash', input: { command: 'generate' } });
    for (let n = 0; n < FILES; n++) s.write(`src/f${n}.txt`, `${round}\n${original(n)}`);
    if (round > 0) await engine.end(call);
    await engine.kill();
    s.write('src/f0.txt', 'while nobody looked\n');
    await s.open();
    await untilOwned(s);
    const status = await s.workspace.status();
    expect(status.remarks).toEqual([]);
    await s.close();
    expect(missingIn(s.data)).toEqual([]);
  }
});

describe('[CHK6a] borrowing works from', () => {
  const lenders: Readonly<Record<string, (origin: string, root: string) => void>> = {
    'a clone that borrows itself': (origin, root) => userGit(folder, 'clone', '-q', '--shared', origin, root),
    'a shallow clone': (origin, root) => userGit(folder, 'clone', '-q', '--depth', '1', `file://${origin}`, root),
    'a clone without blobs but those in use': (origin, root) =>
      userGit(folder, 'clone', '-q', '--filter=blob:none', '--no-local', `file://${origin}`, root),
    'a linked worktree': (origin, root) => userGit(origin, 'worktree', 'add', '-q', root),
  };
  test.each(Object.entries(lenders))('%s', async (name, make) => {
    const origin = join(folder, `origin ${name}`);
    mkdirSync(origin);
    userGit(origin, 'init', '-q');
    userGit(origin, 'config', 'uploadpack.allowFilter', 'true');
    for (const round of [1, 2]) {
      for (let n = 0; n < 20; n++) writeFileSync(join(origin, `f${n}`), `${original(n)}${round}\n`);
      userGit(origin, 'add', '-A');
      userGit(origin, 'commit', '-q', '-m', `${round}`);
    }
    const s = await stage({ kind: 'plain' });
    await s.close();
    rmSync(s.root, { recursive: true });
    rmSync(s.data, { recursive: true });
    make(origin, s.root);
    await s.open();
    const saved = await savedAndOurs(s);
    rmSync(origin, { recursive: true });
    rmSync(s.path('.git'), { recursive: true });
    s.write('f3', 'over\n');
    s.remove('f4');
    expect(await s.workspace.restore(saved.id)).toMatchObject({ ok: true });
    expect([s.read('f3'), s.read('f4')]).toEqual([`${original(3)}2\n`, `${original(4)}2\n`]);
    expect(missingIn(s.data)).toEqual([]);
  });
});

/** A checkpoint is ours when it is answered, or says that it is not yet. */
async function savedAndOurs(s: Stage): Promise<{ readonly id: string }> {
  const saved = await s.workspace.saveCheckpoint();
  if (!saved.ok) throw new Error(saved.error.code);
  if (saved.value.onLoan) await untilOwned(s);
  return saved.value;
}

async function untilOwned(s: Stage): Promise<void> {
  const alternates = join(s.data, 'content.git/objects/info/alternates');
  await until(() => !existsSync(alternates));
}

function withSlowGit(): string {
  return pathWithGit('slow', 'sleep 0.3');
}

/** A git that does everything but pack, until it is ended. */
function withoutPacking(): string {
  return pathWithGit('packless', 'case "$*" in *pack-objects*) exec sleep 600;; esac');
}

function pathWithGit(name: string, first: string): string {
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'git'), `#!/bin/sh\n${first}\nexec '${real}' "$@"\n`, { mode: 0o755 });
  return `${join(folder, name)}:${process.env.PATH}`;
}
