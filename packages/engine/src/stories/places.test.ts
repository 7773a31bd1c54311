import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runGit } from '../../../../test/git.fixture.js';
import { describeChange, stage } from './stage.fixture.js';

const gitIn = (folder: string, ...args: string[]) => runGit(folder, args);

test('[CAP8a] a folder without git, and a repository without commits', async () => {
  const plain = await stage({ kind: 'plain', files: { 'a.txt': 'one\n' } });
  expect(await plain.agent('S').shell('echo x > a.txt')).toEqual(['modify a.txt S/Bash window']);
  const empty = await stage({ kind: 'plain', files: { 'a.txt': 'one\n' } });
  await empty.close();
  empty.git('init', '-q');
  await empty.open();
  expect(await empty.agent('S').shell('echo x > a.txt; echo y > b.txt')).toHaveLength(2);
});

test('[CAP8a] a folder inside a repository', async () => {
  const on = await stage({ files: { 'sub/a.txt': 'one\n', 'other/b.txt': 'two\n' } });
  const inner = await stage({ kind: 'plain' });
  await inner.close();
  await on.close();
  const { openWorkspace } = await import('../open-workspace.js');
  const opened = await openWorkspace(on.path('sub'), { data: join(on.folder, 'sub-data'), environment: process.env });
  if (!opened.ok) throw new Error(opened.error.code);
  await opened.value.stockTaken();
  expect((await opened.value.status()).coverage.files).toBe(1);
  on.write('sub/a.txt', 'changed\n');
  await opened.value.look();
  const changes = await opened.value.changes({ status: 'all' });
  expect(changes.ok && changes.value.map((entry) => entry.path)).toEqual(['a.txt']);
  await opened.value.close();
});

test('[CAP8b] contents of nested repositories and submodules are captured, their .git is never touched', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  await on.close();
  const library = join(on.folder, 'library');
  mkdirSync(library);
  writeFileSync(join(library, 'lib.txt'), 'lib\n');
  gitIn(library, 'init', '-q');
  gitIn(library, 'add', '-A');
  gitIn(library, 'commit', '-q', '-m', 'lib');
  on.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'module');
  mkdirSync(on.path('nested'));
  gitIn(on.path('nested'), 'init', '-q');
  on.write('nested/n.txt', 'nested\n');
  const before = listing(on.path('nested/.git'));
  await on.open();
  expect(
    [...(await on.agent('S').shell('echo x > nested/n.txt; echo y > module/lib.txt; echo z > nested/new.txt'))].sort(),
  ).toEqual([
    'create nested/new.txt S/Bash window',
    'modify module/lib.txt S/Bash window',
    'modify nested/n.txt S/Bash window',
  ]);
  expect(listing(on.path('nested/.git'))).toEqual(before);
});

test('[CAP8a] a linked worktree is a workspace of its own', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n' } });
  const linked = join(on.folder, 'linked');
  on.git('worktree', 'add', '-q', linked);
  const { openWorkspace } = await import('../open-workspace.js');
  const opened = await openWorkspace(linked, { data: join(on.folder, 'linked-data'), environment: process.env });
  if (!opened.ok) throw new Error(opened.error.code);
  await opened.value.stockTaken();
  writeFileSync(join(linked, 'a.txt'), 'linked\n');
  await opened.value.look();
  const changes = await opened.value.changes({ status: 'all' });
  expect(changes.ok && changes.value.map((entry) => entry.path)).toEqual(['a.txt']);
  await opened.value.close();
  expect(await on.records()).toEqual([]);
});

test('[CAP12c] a committed file in a folder that is left out is watched, after opening and after opening again', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n', 'node_modules/lib/deep/patched.js': 'one\n' } });
  for (const session of ['first', 'again']) {
    // Nothing in the command says which file that will be.
    expect(
      await on.agent(session).shell(`find . -name '*ched.js' -exec sh -c 'echo ${session} > "$0"' {} ';'`),
    ).toEqual([`modify node_modules/lib/deep/patched.js ${session}/Bash window`]);
    await on.reopen();
  }
});

const ODD_NAMES = [
  'with space',
  'quo\'te"s',
  'new\nline',
  'caf\u00e9',
  'cafe\u0301',
  'a -> b',
  '-dash',
  'back\\slash',
  'tab\there',
  '*star?',
  '$(echo)',
  '#hash',
  '__proto__',
  'constructor',
];

test('[CAP9a] names of every kind are tracked and found again', async () => {
  const on = await stage({ files: { 'a.txt': 'a\n' } });
  const agent = on.agent('S');
  for (const name of ODD_NAMES)
    expect(await agent.writeFile(`d/${name}`, `${name}\n`), name).toEqual([`create d/${name} S/Write exact`]);
  for (const name of ODD_NAMES)
    expect(await agent.edit(`d/${name}`, name, 'new'), name).toEqual([`modify d/${name} S/Edit exact`]);
  await on.reopen();
  expect(await on.records()).toHaveLength(ODD_NAMES.length * 2);
  for (const name of ODD_NAMES) {
    const changes = await on.workspace.changes({ path: `d/${name}` });
    expect(changes.ok && changes.value, name).toHaveLength(2);
  }
});

const CONTENTS: readonly [string, Uint8Array][] = [
  ['binary', Uint8Array.from([0, 1, 2, 255, 0])],
  ['empty', new Uint8Array(0)],
  ['crlf', Buffer.from('a\r\nb\r\n')],
  ['bom', Buffer.from('\ufeffa\n')],
  ['no final newline', Buffer.from('a')],
  ['invalid utf-8', Uint8Array.from([0x61, 0xff, 0xfe, 0x0a])],
  ['huge', Buffer.alloc(3_000_000, 'line of text\n')],
];

test('[CAP9b] bytes of every kind are kept exactly, before and after', async () => {
  const on = await stage({ files: { 'a.txt': 'a\n' } });
  for (const [name, bytes] of CONTENTS) {
    on.write('f', bytes);
    await on.workspace.look();
    expect(await on.agent('S').shell(`node -e 'require("fs").writeFileSync("f", "changed")'`), name).toHaveLength(1);
    const changes = await on.workspace.changes({ path: 'f' });
    const change = changes.ok ? changes.value.at(-1) : undefined;
    const before = await on.workspace.content(change!.file.before!.content);
    const after = await on.workspace.content(change!.file.after!.content);
    expect(before.ok && Buffer.compare(before.value, bytes), name).toBe(0);
    expect(after.ok && Buffer.from(after.value).toString(), name).toBe('changed');
  }
});

test('[CAP11a] scratch files are left out at every entry', async () => {
  const on = await stage({ files: { 'a.txt': 'a\n' } });
  const scratch = [
    '.tmpfile',
    '.tmp-d/x.txt',
    'a.txt.rej',
    'a.txt.orig',
    '.grep_1.txt',
    '.file_index.txt',
    '.pytest_x.txt',
    '.diff_1.txt',
    '.compile_1.txt',
    '.a.txt.swp',
  ];
  for (const path of scratch) expect(await on.agent('S').writeFile(path, 'x'), path).toEqual([]);
  for (const path of scratch) on.write(path, 'by hand');
  expect(await on.records()).toEqual([]);
  await on.reopen();
  expect(await on.records()).toEqual([]);
  const configured = await stage({ open: { settings: { scratch: ['*.log'] } } });
  expect(await configured.agent('S').writeFile('build.log', 'x')).toEqual([]);
});

test('[CAP12b] ignored: small ones and those that a tool names are captured, the rest is listed', async () => {
  const on = await stage({
    files: {
      '.gitignore': '.env\nnode_modules/\ndist/\n*.big\n',
      '.env': 'A=1\n',
      'node_modules/p/index.js': 'x\n',
      'dist/out.js': 'x\n',
    },
  });
  const agent = on.agent('S');
  expect(await agent.shell('echo B=2 >> .env')).toEqual(['modify .env S/Bash window']);
  expect(await agent.shell('echo y >> dist/out.js')).toEqual(['modify dist/out.js S/Bash window']);
  expect(await agent.shell(`node -e 'require("fs").appendFileSync("node_modules/p/index.js", "y")'`)).toEqual([]);
  await agent.readFile('node_modules/p/index.js');
  expect(await agent.edit('node_modules/p/index.js', 'x', 'z')).toEqual([
    'modify node_modules/p/index.js S/Edit exact',
  ]);
  const { coverage } = await on.workspace.status();
  expect(coverage.uncovered).toContainEqual({ path: 'node_modules/', reason: 'dependency' });
});

test('[CAP12f] beyond the size limit a change is recorded with size and hash, and marked as not reversible', async () => {
  const on = await stage({ files: { 'big.bin': 'small\n' } });
  const agent = on.agent('S');
  expect(await agent.shell('head -c 11000000 /dev/zero > big.bin')).toEqual(['modify big.bin S/Bash window']);
  const changes = await on.workspace.changes({ path: 'big.bin' });
  expect(changes.ok && changes.value[0]?.file).toMatchObject({ reversible: false, after: { size: 11_000_000 } });
  expect(await agent.shell('rm big.bin')).toEqual(['delete big.bin S/Bash window']);
});

test('[CAP10a] a checkout is one operation with its cause, and no false delete', async () => {
  const files = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}.txt`, `${index}\n`]));
  const on = await stage({ files });
  on.git('checkout', '-q', '-b', 'other');
  on.shell('for f in f1*.txt; do echo other >> $f; done');
  on.git('rm', '-q', 'f2.txt');
  on.git('commit', '-q', '-a', '-m', 'other');
  await on.workspace.look();
  const since = on.workspace.seq;
  on.git('checkout', '-q', 'main');
  await on.workspace.look();
  const changed = on.workspace.operations(since, 100).filter((operation) => operation.kind === 'changed');
  expect(changed).toMatchObject([{ cause: 'git checkout', author: { kind: 'human' } }]);
  expect(changed[0]?.kind === 'changed' && changed[0].files).toHaveLength(12);
});

test('[CAP10a] commit, stash, reset, rebase and merge, by an agent or a human', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n', 'b.txt': 'two\n' } });
  const agent = on.agent('S');
  await agent.shell('echo x >> a.txt');
  expect(await agent.shell('git add -A && git commit -q -m work')).toEqual([]);
  await agent.shell('echo y >> b.txt');
  expect(await agent.shell('git stash -q')).toEqual(['modify b.txt S/Bash window']);
  expect(await agent.shell('git stash pop -q')).toEqual(['modify b.txt S/Bash window']);
  expect(await agent.shell('git reset -q --hard HEAD~1')).toEqual([
    'modify a.txt S/Bash window git reset',
    'modify b.txt S/Bash window git reset',
  ]);
});

test('[CAP10a] what a command did to the repository is named also when somebody looked before it ended', async () => {
  const on = await stage({ files: { 'a.txt': 'one\n', 'b.txt': 'two\n' } });
  const agent = on.agent('S');
  await agent.shell('echo x >> a.txt; git commit -q -a -m work');
  const { callId } = await agent.begin('Bash', { command: 'git reset -q --hard HEAD~1; echo more >> b.txt' });
  on.shell('git reset -q --hard HEAD~1');
  await on.workspace.look();
  on.shell('echo more >> b.txt');
  expect((await agent.end(callId)).changes.map(describeChange)).toEqual([
    'modify a.txt S/Bash window git reset',
    'modify b.txt S/Bash window git reset',
  ]);
  expect(await agent.shell('echo y >> b.txt')).toEqual(['modify b.txt S/Bash window']);
});

function listing(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .sort()
    .map((name) => {
      const path = join(folder, name);
      return `${name} ${existsSync(path) && !readdirSafe(path) ? readFileSync(path).length : ''}`;
    });
}

function readdirSafe(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch {
    return false;
  }
}
