import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type FileChange, UNRECORDED_CONTENT } from '@palimpsest/core';
import { afterEach, expect, test } from 'vitest';
import type { Settings } from '../basis/settings.js';
import { openWorkspace } from '../open-workspace.js';
import { STAT_STEP_MS } from '../tree/stat.js';
import type { Workspace } from '../workspace.js';
import { describeChange } from './stage.fixture.js';

const ended: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).reverse()) await end();
});

/** A folder without git, so that nobody but us holds any bytes. */
class Plain {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'pal-opening-')));
  readonly root = join(this.folder, 'work');
  workspace!: Workspace;

  constructor() {
    mkdirSync(this.root);
    ended.push(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  path(name: string): string {
    return join(this.root, name);
  }

  write(name: string, text: string): void {
    writeFileSync(this.path(name), text);
  }

  /** So many that they cannot all be read at once; older ones are read later. */
  fill(count: number): void {
    for (let index = 0; index < count; index++) {
      this.write(`file-${index}`, `text of ${index}\n`.repeat(20));
      utimesSync(this.path(`file-${index}`), 1_000_000 + index, 1_000_000 + index);
    }
  }

  async open(settings: Partial<Settings> = {}): Promise<void> {
    const data = join(this.folder, 'data');
    const answer = await openWorkspace(this.root, { data, environment: process.env, settings });
    if (!answer.ok) throw new Error(answer.error.code);
    this.workspace = answer.value;
    ended.push(() => answer.value.close());
  }

  /** Until all names are known; with many files, most of them are not read then. */
  async named(): Promise<void> {
    while ((await this.workspace.status()).coverage.unread === 0) await nextTurn();
  }

  async records(): Promise<readonly string[]> {
    await this.workspace.stockTaken();
    await this.workspace.look();
    const changes = await this.workspace.changes({ status: 'all' });
    return changes.ok ? changes.value.map(describeChange) : [];
  }
}

test('[CAP15b] what goes before it was read is recorded and said to be lost; what moves takes its bytes along', async () => {
  const plain = new Plain();
  plain.fill(4_000);
  await plain.open({ stockWaitMs: 0 });
  await plain.named();
  const call = { session: 's', callId: 'c' };
  await plain.workspace.begin({ ...call, tool: 'Bash', input: { command: './anything' } });
  rmSync(plain.path('file-0'));
  renameSync(plain.path('file-1'), plain.path('moved'));
  plain.write('file-2', 'written over');
  plain.write('new', 'new');
  expect((await plain.workspace.status()).incomplete).toBe(true);
  const end = await plain.workspace.end(call);
  const changes = end.ok ? end.value.changes : [];
  expect(changes.map((change) => `${describeChange(change)} ${change.file.reversible}`).sort()).toEqual([
    'create new s/Bash window true',
    'delete file-0 s/Bash window false',
    'modify file-2 s/Bash window false',
    'rename file-1>moved s/Bash window true',
  ]);
  const [start] = await plain.workspace.checkpoints({ session: 's' });
  expect(start).toMatchObject({ reason: 'start', incomplete: true, uncovered: 2, files: 3_998 });
  const plan = await plain.workspace.planRestore(start!.id);
  expect(plan.ok && plan.value).toMatchObject({
    incomplete: true,
    uncovered: [
      { path: 'file-0', reason: 'unread' },
      { path: 'file-2', reason: 'unread' },
    ],
    deletes: ['moved', 'new'],
    writes: ['file-1'],
  });
  const rejected = await plain.workspace.reject({ session: 's' });
  expect(rejected.ok && rejected.value.left.map(({ why }) => why)).toEqual(['not-reversible', 'not-reversible']);
  expect(readFileSync(plain.path('file-1'), 'utf8')).toBe('text of 1\n'.repeat(20));
  expect(readFileSync(plain.path('file-2'), 'utf8')).toBe('written over');
});

/** Everything that a person can do to a file that nobody has looked at yet. */
const HANDS: Readonly<Record<string, (plain: Plain) => void>> = {
  'modify saved': (plain) => {
    plain.write('saved.tmp', 'saved');
    renameSync(plain.path('saved.tmp'), plain.path('saved'));
  },
  'modify in-place': (plain) => plain.write('in-place', 'in place'),
  'delete gone': (plain) => rmSync(plain.path('gone')),
  'delete renamed': (plain) => renameSync(plain.path('renamed'), plain.path('other-name')),
  'create other-name': () => undefined,
  'delete folder/inner': (plain) => renameSync(plain.path('folder'), plain.path('other-folder')),
  'create other-folder/inner': () => undefined,
  'create made': (plain) => plain.write('made', 'made'),
};

test.each(['looked at before the names are known', 'found when the names are taken'])(
  '[CAP15c] what a person does right after the first open is a change of what was there: %s',
  async (when) => {
    const plain = new Plain();
    mkdirSync(plain.path('folder'));
    for (const name of ['saved', 'in-place', 'gone', 'renamed', 'folder/inner']) plain.write(name, `${name}\n`);
    utimesSync(plain.path('folder'), 1_000_000, 1_000_000);
    plain.fill(2_000);
    await sleep(STAT_STEP_MS);
    await plain.open();
    for (const act of Object.values(HANDS)) act(plain);
    if (when.startsWith('looked')) await plain.workspace.look();
    await plain.records();
    const all = await plain.workspace.changes({ status: 'all' });
    expect(all.ok && all.value.flatMap(({ file }) => deedsOf(file)).sort()).toEqual(Object.keys(HANDS).sort());
  },
);

/** A file whose stat was known in time is recorded as renamed, with its bytes. */
function deedsOf({ path, fromPath, before, after }: FileChange): readonly string[] {
  if (fromPath !== undefined) return [`delete ${fromPath}`, `create ${path}`];
  if (before === null) return [`create ${path}`];
  const deed = after === null ? 'delete' : 'modify';
  return before.content === UNRECORDED_CONTENT ? [`${deed} ${path}`] : [`${deed} ${path} of ${before.content}`];
}

test('[CAP12e] an ignored folder that is full stays so: nothing in it is taken for new', async () => {
  const plain = new Plain();
  mkdirSync(plain.path('.git'));
  plain.write('.git/HEAD', 'ref: refs/heads/main');
  plain.write('.gitignore', 'ign\n');
  mkdirSync(plain.path('ign'));
  for (let index = 0; index < 1_000; index++) plain.write(`ign/${index}`, `${index}\n`);
  await plain.open();
  await plain.workspace.stockTaken();
  const { files } = (await plain.workspace.status()).coverage;
  expect(files).toBeLessThan(1_000);
  const call = { session: 's', callId: 'c' };
  await plain.workspace.begin({ ...call, tool: 'Bash', input: { command: './anything' } });
  for (let index = 0; index < 1_000; index++) plain.write(`ign/${index}`, 'built\n');
  plain.write('.gitignore', 'ign\n*.log\n');
  const end = await plain.workspace.end(call);
  const kinds = new Set(end.ok ? end.value.changes.map((change) => describeChange(change).split(' ')[0]) : []);
  expect([...kinds]).toEqual(['modify']);
  await plain.workspace.close();
  await plain.open();
  expect((await plain.records()).filter((record) => record.startsWith('create'))).toEqual([]);
  expect((await plain.workspace.status()).coverage.files).toBe(files);
});

test('[REV11a] blame answers for a file that was not read yet', async () => {
  const plain = new Plain();
  plain.fill(2_000);
  await plain.open();
  const before = await plain.workspace.blame('file-0');
  expect(before.ok && before.value.length).toBe(20);
  await plain.named();
  const after = await plain.workspace.blame('file-1');
  expect(after.ok && after.value.length).toBe(20);
  expect(await plain.records()).toEqual([]);
});

test('[CAP15c] what git has of a file that was changed before is not what a save right after the first open replaced', async () => {
  const plain = new Plain();
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: plain.root });
  git('init', '-q');
  plain.fill(500);
  plain.write('file-1', 'committed');
  git('add', '-A');
  plain.write('file-1', 'changed before anybody came');
  await sleep(STAT_STEP_MS);
  await plain.open();
  plain.write('file-1', 'saved');
  await plain.records();
  const all = await plain.workspace.changes({ status: 'all' });
  expect(all.ok && all.value.map(({ file }) => [file.path, file.before?.content])).toEqual([
    ['file-1', UNRECORDED_CONTENT],
  ]);
});

test('[CAP12d] what was ignored and is not any more was not made by whoever changed the rules', async () => {
  const plain = new Plain();
  mkdirSync(plain.path('.git'));
  plain.write('.git/HEAD', 'ref: refs/heads/main');
  mkdirSync(plain.path('dist'));
  plain.write('dist/old', 'built long ago');
  plain.write('.gitignore', 'dist\n');
  await plain.open();
  await plain.workspace.stockTaken();
  const call = { session: 's', callId: 'c' };
  await plain.workspace.begin({ ...call, tool: 'Bash', input: { command: './anything' } });
  plain.write('.gitignore', '');
  plain.write('dist/new', 'built now');
  const end = await plain.workspace.end(call);
  expect(end.ok && end.value.changes.map(describeChange).sort()).toEqual([
    'create dist/new s/Bash window',
    'modify .gitignore s/Bash window',
  ]);
  await plain.workspace.reject({ session: 's' });
  expect(readFileSync(plain.path('dist/old'), 'utf8')).toBe('built long ago');
});

test('[CAP12d] what was in view only while the rules were gone is left out again, but for what was changed then', async () => {
  const plain = new Plain();
  mkdirSync(plain.path('.git'));
  plain.write('.git/HEAD', 'ref: refs/heads/main');
  mkdirSync(plain.path('dist'));
  for (const name of ['one', 'two']) plain.write(`dist/${name}`, 'built long ago');
  plain.write('.gitignore', 'dist\n');
  await sleep(STAT_STEP_MS);
  await plain.open();
  await plain.workspace.stockTaken();
  await sleep(STAT_STEP_MS);
  plain.write('.gitignore', '');
  await plain.workspace.look();
  plain.write('dist/two', 'changed in view');
  await plain.workspace.look();
  plain.write('.gitignore', 'dist\n');
  await plain.workspace.look();
  for (const name of ['one', 'two']) plain.write(`dist/${name}`, 'built now');
  await plain.workspace.close();
  await plain.open();
  for (const name of ['one', 'two']) plain.write(`dist/${name}`, 'built later');
  const records = (await plain.records()).filter((record) => record.includes('dist'));
  expect(records.length).toBeGreaterThan(0);
  expect(records.filter((record) => record.includes('dist/one'))).toEqual([]);
});

test('[CAP12d] what comes into view right after the first open, because the rules are changed, was there', async () => {
  const plain = new Plain();
  mkdirSync(plain.path('.git'));
  plain.write('.git/HEAD', 'ref: refs/heads/main');
  mkdirSync(plain.path('node_modules'));
  plain.write('node_modules/old', 'there long ago');
  mkdirSync(plain.path('dist'));
  for (let index = 0; index < 3_000; index++) plain.write(`dist/old-${index}`, 'built long ago');
  plain.write('.gitignore', 'dist\n');
  await sleep(STAT_STEP_MS);
  await plain.open();
  plain.write('.gitignore', '');
  expect((await plain.records()).filter((record) => !record.startsWith('modify .gitignore'))).toEqual([]);
});

test('[CAP15d] an open that ended before anything was read: what was there is not taken for new', async () => {
  const plain = new Plain();
  for (const name of ['a', 'b', 'c']) plain.write(name, `${name}\n`);
  await plain.open();
  await plain.workspace.close();
  plain.write('a', 'written over\n');
  await plain.open();
  const records = await plain.records();
  expect(records.filter((record) => !record.startsWith('modify a unknown() unknown'))).toEqual([]);
  expect((await plain.workspace.status()).coverage.files).toBe(3);
});

test('[CAP15d] an open that ended when all was named and little read: what happened since is recorded', async () => {
  const plain = new Plain();
  plain.fill(4_000);
  await plain.open();
  await plain.named();
  await plain.workspace.close();
  rmSync(plain.path('file-0'));
  plain.write('file-1', 'written over');
  renameSync(plain.path('file-2'), plain.path('moved'));
  plain.write('new', 'new');
  await plain.open();
  expect([...(await plain.records())].sort()).toEqual([
    'create new unknown() unknown reconcile',
    'delete file-0 unknown() unknown reconcile',
    'modify file-1 unknown() unknown reconcile',
    'rename file-2>moved unknown() unknown reconcile',
  ]);
});

test('[CAP15e] a prompt waits for stock, so that the call after it need not', async () => {
  const plain = new Plain();
  plain.fill(2_000);
  await plain.open({ stockWaitMs: 300_000 });
  expect((await plain.workspace.status()).takingStock).toBe(true);
  await plain.workspace.note({ kind: 'prompt', session: 's', text: 'go on' });
  expect((await plain.workspace.status()).takingStock).toBe(false);
});

test('[CAP13b] [I3] what we write ourselves right after another opening is recorded once, and is nobody else’s', async () => {
  const plain = new Plain();
  plain.fill(300);
  await plain.open();
  await plain.workspace.stockTaken();
  const call = { session: 'S', callId: 'c', tool: 'Bash', input: { command: 'make' } };
  expect((await plain.workspace.begin(call)).ok).toBe(true);
  for (let index = 0; index < 100; index++) plain.write(`made-${index}`, `made ${index}\n`);
  await plain.workspace.end({ session: 'S', callId: 'c', ok: true });
  for (let round = 0; round < 4; round++) {
    await plain.workspace.close();
    await plain.open();
    const last = plain.workspace.seq;
    const done = round % 2 === 0 ? await plain.workspace.reject({ all: true }) : await plain.workspace.undo();
    expect(done.ok && done.value.written).toHaveLength(100);
    await plain.workspace.stockTaken();
    await plain.workspace.look();
    const since = plain.workspace.operations(last, 1000).map(({ kind }) => kind);
    expect(since.filter((kind) => kind === 'changed')).toEqual([]);
  }
});
