import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { committed, tempFolder, userGit, writeFiles } from '../git/repository.fixture.js';
import { findWorktrees } from './found.js';
import { makeWorktree } from './make-worktree.js';
import { dirtyRepository, photograph, plainFolder, site, unborn } from './worktree.fixture.js';

/** A linked worktree of somebody else's is a workspace like any other. */
function linkedElsewhere(): string {
  const main = dirtyRepository();
  const root = join(main, '..', 'theirs');
  userGit(main, 'worktree', 'add', '-q', '--detach', root);
  writeFiles(root, {
    'edited.txt': 'there\n',
    'new.txt': 'new\n',
    '.env': 'KEY=2\n',
    'node_modules/dep/index.js': 'xxxxx',
  });
  return root;
}

const KINDS = [
  { name: 'a repository', root: dirtyRepository, kind: 'linked' },
  { name: 'a linked worktree', root: linkedElsewhere, kind: 'linked' },
  { name: 'a folder without git', root: plainFolder, kind: 'copy' },
  { name: 'a repository without commits', root: unborn, kind: 'copy' },
] as const;

describe.each(KINDS)('a worktree of $name', ({ root: make, kind }) => {
  test('[SYN1a] holds what the workspace holds now, byte for byte, outside of it', async () => {
    const at = await site(make());
    const before = photograph(at.root);
    const made = await at.make();
    const ignored = /^(\.env|noise\.log|secret\/key) /;
    expect(photograph(made.path)).toEqual(before.filter((line) => !ignored.test(line)));
    expect(photograph(at.root)).toEqual(before);
    expect([made.kind, made.root, made.path.startsWith(at.root)]).toEqual([kind, at.root, false]);
  });

  test('[SYN1b] ignored files come along when they are named, and are listed when they are not', async () => {
    const at = await site(make());
    writeFiles(at.root, {
      'deep/.env': 'DEEP=1\n',
      'secret/other': 'other\n',
      'build.log': 'log\n',
      '.gitignore': IGNORE,
    });
    const plain = await at.make('plain');
    expect(plain.leftOut.length).toBeGreaterThan(0);
    expect(plain.notCarried).toContainEqual({ path: '.env', reason: 'ignored' });
    expect(plain.notCarried).toContainEqual({ path: 'secret/', reason: 'ignored' });
    writeFiles(at.root, { '.worktreeinclude': '# secrets\n.env\nsecret/*\n!secret/other\n' });
    const named = await at.make('named');
    const files = photograph(named.path).map((line) => line.split(' ')[0]);
    expect(files).toEqual(expect.arrayContaining(['.env', 'deep/.env']));
    expect(files).not.toContain('build.log');
    expect(files).not.toContain('secret/other');
  });

  test("[SYN1b] the agents' own configuration comes along unless the workspace says otherwise", async () => {
    const at = await site(make());
    writeFiles(at.root, {
      '.gitignore': `${IGNORE}.claude/\n.codex/hooks.json\n`,
      '.claude/settings.local.json': '{}\n',
      '.claude/worktrees/other/file': 'not this\n',
      '.codex/hooks.json': '{"hooks":{}}\n',
    });
    const agents = (path: string) => photograph(path).filter((line) => /^\.(claude|codex)/.test(line));
    const { path } = await at.make('one');
    expect(agents(path)).toEqual(['.claude/settings.local.json {}\n', '.codex/hooks.json {"hooks":{}}\n']);
    writeFiles(at.root, { '.worktreeinclude': '!.codex/hooks.json\n' });
    expect(agents((await at.make('two')).path)).toEqual(['.claude/settings.local.json {}\n']);
  });

  test('[SYN1c] a name that is taken or no name, and a place inside of the workspace, are refused', async () => {
    const at = await site(make());
    await at.make('one');
    const again = await makeWorktree(await at.request('one'));
    expect(again).toMatchObject({ ok: false, error: { code: 'taken' } });
    for (const name of ['', '..', '.', '../out', 'a/b', 'a b', '-x'])
      expect(await makeWorktree(await at.request(name))).toMatchObject({ ok: false, error: { code: 'bad-name' } });
    const inside = { ...(await at.request('two')), home: join(at.root, 'worktrees') };
    expect(await makeWorktree(inside)).toMatchObject({ ok: false, error: { code: 'inside-workspace' } });
    const link = join(tempFolder(), 'link');
    symlinkSync(at.root, link);
    expect(await makeWorktree({ ...inside, home: join(link, 'deeper') })).toMatchObject({
      ok: false,
      error: { code: 'inside-workspace' },
    });
    expect((await findWorktrees(at.home)).map(({ name }) => name)).toEqual(['one']);
  });

  test('[SYN1d] when it cannot be made nothing is left of it', async () => {
    const at = await site(make());
    const before = photograph(at.root);
    const entries = gitEntries(at.root);
    const request = await at.request('one');
    const missing = { ...request, tree: '0123456789012345678901234567890123456789' };
    expect(await makeWorktree(missing)).toMatchObject({ ok: false, error: { code: 'not-made' } });
    const setup = { ...request, settings: { ...request.settings, setup: 'echo half > made; echo why >&2; exit 3' } };
    const failed = await makeWorktree(setup);
    expect(failed).toEqual({ ok: false, error: { code: 'setup-failed', exitCode: 3, output: 'why\n' } });
    expect([readdirSync(at.home), photograph(at.root), gitEntries(at.root)]).toEqual([[], before, entries]);
    expect((await at.make('one')).name).toBe('one');
  });

  test('[SYN1e] dependencies are copies of their own, and their links stay in their tree', async () => {
    const at = await site(make());
    symlinkSync('../dep/index.js', join(at.root, 'node_modules/dep/relative.js'));
    symlinkSync(join(at.root, 'edited.txt'), join(at.root, 'node_modules/absolute.txt'));
    mkdirSync(join(at.root, 'node_modules/.bin'));
    writeFileSync(join(at.root, 'node_modules/.bin/tool'), '#!/bin/sh\n', { mode: 0o755 });
    const made = await at.make();
    const own = statSync(join(made.path, 'node_modules/dep/index.js'));
    const theirs = statSync(join(at.root, 'node_modules/dep/index.js'));
    expect([own.ino === theirs.ino, own.nlink]).toEqual([false, 1]);
    expect(Math.trunc(own.mtimeMs)).toBe(Math.trunc(theirs.mtimeMs));
    expect(photograph(join(made.path, 'node_modules'))).toEqual(
      expect.arrayContaining([`absolute.txt -> ${join(made.path, 'edited.txt')}`, '.bin/tool* #!/bin/sh\n']),
    );
    expect(made.carried).toContainEqual({ path: 'node_modules/', what: 'dependencies', by: expect.anything() });
  });

  test('[SYN1f] the settings say whether dependencies come along, and the setup command runs there', async () => {
    const at = await site(make());
    const none = await at.make('none', { dependencies: 'none', setup: SETUP });
    expect([none.setup, none.notCarried]).toEqual([
      'ready\n',
      expect.arrayContaining([{ path: 'node_modules/', reason: 'setting' }]),
    ]);
    expect(photograph(none.path)).toContain(`where ${none.path} ${none.path} ${none.portBase} ${at.root}\n`);
    const small = await at.make('small', { copiedBytes: 3 });
    const by = small.carried.find(({ path }) => path === 'node_modules/')?.by;
    if (by !== 'reflink') expect(small.notCarried).toContainEqual({ path: 'node_modules/', reason: 'too-large' });
    const whatever = await at.make('whatever', { copiedBytes: 3, dependencies: 'copy' });
    expect(whatever.carried.map(({ path }) => path)).toContain('node_modules/');
  });

  test('[SYN1g] two at once, and each has its own ports', async () => {
    const at = await site(make());
    const made = await Promise.all(['one', 'two', 'three'].map((name) => at.make(name)));
    expect(new Set(made.map(({ path }) => path)).size).toBe(3);
    const later = await at.make('four');
    expect(made.map(({ portBase }) => portBase)).not.toContain(later.portBase);
    expect(photograph(made[2]!.path)).toEqual(photograph(made[0]!.path));
  });

  test('[SYN1h] a file of more bytes than we keep comes along from the disk, and what cannot is listed', async () => {
    const at = await site(make());
    writeFiles(at.root, { 'large.bin': Buffer.alloc(11 * 1024 * 1024, 'x') });
    const made = await at.make();
    expect(statSync(join(made.path, 'large.bin')).size).toBe(11 * 1024 * 1024);
    expect(made.carried).toContainEqual({ path: 'large.bin', what: 'large', by: 'copy' });
  });
});

const SETUP = 'echo ready; echo "$(pwd) $PAL_WORKTREE $PAL_PORT_BASE $PAL_WORKSPACE" > where';
const IGNORE = '*.log\n.env\n/secret/\nnode_modules\n';

function gitEntries(root: string): readonly string[] {
  try {
    return readdirSync(join(root, '.git'), { recursive: true, encoding: 'utf8' }).sort();
  } catch {
    return [];
  }
}

test('[SYN1a] a folder that is empty has an empty worktree', async () => {
  const root = join(tempFolder(), 'nothing');
  mkdirSync(root);
  const made = await (await site(root)).make();
  expect(photograph(made.path)).toEqual([]);
  const repository = committed(join(tempFolder(), 'bare'), { a: 'a' });
  rmSync(join(repository, 'a'));
  const linked = await (await site(repository)).make();
  expect([photograph(linked.path), linked.kind]).toEqual([[], 'linked']);
});

test.each([dirtyRepository, plainFolder])(
  '[SYN1a] names that git finds suspicious, odd ones, and deep ones',
  async (make) => {
    const root = make();
    const deep = Array.from({ length: 60 }, (_, n) => `folder-${n}`).join('/');
    const names = [
      'git~1',
      '.git ',
      '.git.',
      'back\\slash',
      'new\nline',
      'a:b',
      'aux',
      '-rf',
      '*',
      '"quoted"',
      'é',
      'e\u0301',
      `${deep}/f`,
    ];
    writeFiles(root, Object.fromEntries(names.map((name) => [name, `${name}\n`])));
    writeFiles(root, { '.GIT/config': '[core]\n', 'sub/.Git': 'x\n' });
    symlinkSync('a.txt', join(root, '.gitmodules'));
    symlinkSync('/etc', join(root, 'folder-link'));
    const at = await site(root);
    const before = photograph(root);
    const made = await at.make();
    const ignored = /^(\.env|noise\.log|secret\/key) /;
    expect(photograph(made.path)).toEqual(before.filter((line) => !ignored.test(line)));
  },
);
