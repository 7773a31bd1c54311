import { symlinkSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { documentOf, type ErrorDocument, type Ran, User } from './pal.fixture.js';

const user = new User();
afterAll(() => user.leave());

type Change = {
  readonly id: string;
  readonly path: string;
  readonly kind: string;
  readonly session: string | null;
  readonly callId: string | null;
  readonly tool: string | null;
  readonly status: string;
  readonly evidence: string;
  readonly author: { readonly kind: string };
  readonly hunks: readonly unknown[];
};
type Changes = { readonly changes: readonly Change[] };

const edited = async () => {
  const workspace = user.workspace();
  await workspace.call('s', 'c1', 'Read', { file_path: 'a.txt' }, () => undefined);
  await workspace.call('s', 'c2', 'Edit', { file_path: 'a.txt', old_string: 'two', new_string: '2' }, () =>
    workspace.write('a.txt', 'one\n2\nthree\n'),
  );
  return workspace;
};

test('[INT2a] wrong usage names what is near, and the help of that very command', async () => {
  const near = await user.pal(['stauts']);
  expect([near.exit, near.stderr]).toEqual([2, expect.stringContaining('did you mean stats or status?')]);
  const option = await user.pal(['checkpoint', 'save', '--label', 'x']);
  expect([option.exit, option.stderr]).toEqual([2, expect.stringContaining('`pal checkpoint save --help`')]);
  const empty = await user.workspace().pal('stale', '--session', '');
  expect([empty.exit, empty.stderr]).toEqual([2, expect.stringContaining('no session has an empty name')]);
});

describe('a session through the command line', () => {
  test('[INT1a] an edit is recorded once, and every command tells it in JSON and in text', async () => {
    const workspace = await edited();

    const { changes } = await workspace.json<Changes>('changes');
    expect(changes).toMatchObject([
      { path: 'a.txt', kind: 'modify', session: 's', callId: 'c2', tool: 'Edit', status: 'pending', evidence: 'exact' },
    ]);
    const [change] = changes as [Change];
    expect(change.hunks).toHaveLength(1);
    const changesText = await workspace.pal('changes');
    expect(changesText).toMatchObject({ exit: 0, stderr: '' });
    expect(changesText.stdout).toMatch(
      new RegExp(
        `${change.id}\\s+M\\s+a\\.txt\\s+\\+1 −1\\s+agent · Edit\\s+exact\\s+pending\\s+(just now|\\d+ (s|min) ago)`,
      ),
    );

    const shown = await workspace.json<{ change: Change; hunks: unknown[] }>('show', change.id);
    expect(shown.change.id).toBe(change.id);
    expect(shown.hunks).toHaveLength(1);
    const shownText = await workspace.pal('show', change.id);
    expect(shownText.stdout).toContain('-two\n+2\n');
    expect(shownText.stdout).toContain('session s');

    const status = await workspace.json<{
      workspace: { root: string; git: boolean };
      pending: unknown;
      sessions: unknown[];
    }>('status');
    expect(status).toMatchObject({
      workspace: { root: workspace.root, git: true },
      pending: { changes: 1, hunks: 1, files: 1 },
    });
    expect(status.sessions).toMatchObject([{ id: 's', state: 'active', pending: 1 }]);
    const statusText = await workspace.pal('status');
    expect(statusText.stdout).toContain('1 change pending in 1 file, 1 hunk');

    const stale = await workspace.json<{ files: unknown[] }>('stale', '--session', 's');
    expect(stale.files).toMatchObject([{ session: 's', path: 'a.txt', state: 'fresh', visible: true }]);
    expect((await workspace.pal('stale')).stdout).toMatch(/fresh\s+a\.txt/);

    const log = await workspace.json<{ operations: { seq: number; kind: string }[] }>('log');
    expect(log.operations.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['session-started', 'call-began', 'shown', 'changed', 'call-ended']),
    );
    const after = log.operations.at(-2)!.seq;
    expect((await workspace.json<{ operations: unknown[] }>('log', '--since', String(after))).operations).toHaveLength(
      1,
    );
    expect((await workspace.pal('log')).stdout).toMatch(/changed\s+a\.txt by agent · Edit/);
  });

  test('[INT1a] changes can be asked for by session, call, path and status', async () => {
    const workspace = await edited();
    workspace.write('human.txt', 'mine\n');
    const ids = async (...args: string[]) =>
      (await workspace.json<Changes>('changes', ...args)).changes.map(({ path }) => path);
    expect(await ids('--call', 'c2')).toEqual(['a.txt']);
    expect(await ids('--call', 'c1')).toEqual([]);
    expect(await ids('--session', 's')).toEqual(['a.txt']);
    const missing = await workspace.pal('changes', '--session', 'other', '--json');
    expect([missing.exit, JSON.parse(missing.stdout).error.code]).toEqual([4, 'unknown-session']);
    expect(await ids('--path', './a.txt')).toEqual(['a.txt']);
    expect(await ids('--status', 'rejected')).toEqual([]);
    await workspace.pal('stale');
    const all = (await workspace.json<Changes>('changes', '--status', 'all')).changes;
    expect(all.find(({ path }) => path === 'human.txt')).toMatchObject({
      session: null,
      author: { kind: expect.stringMatching(/human|unknown/) },
    });
  });

  test('[INT1a] a session is started, listed, shown, renamed, ended and deleted', async () => {
    const workspace = user.workspace();
    const { session } = await workspace.json<{ session: { id: string } }>(
      'session',
      'start',
      '--agent',
      'tester',
      '--id',
      'one',
      '--title',
      'first',
    );
    expect(session).toMatchObject({ id: 'one', agent: 'tester', title: 'first', state: 'active', pending: 0 });
    expect((await workspace.json('session', 'rename', 'one', 'second')).session).toMatchObject({ title: 'second' });
    expect((await workspace.json('session', 'list')).sessions).toMatchObject([{ id: 'one', title: 'second' }]);
    expect(await workspace.json('session', 'show', 'one')).toMatchObject({ session: { id: 'one' }, changes: [] });
    expect((await workspace.json('session', 'end', 'one')).session).toMatchObject({ state: 'ended' });
    expect((await workspace.json('session', 'end', 'one')).session).toMatchObject({ state: 'ended' });
    expect((await workspace.pal('session', 'list')).stdout).toMatch(
      /one\s+tester\s+ended\s+0\s+(just now|\d+ (s|min) ago)\s+second/,
    );
    expect((await workspace.json('session', 'delete', 'one')).session).toMatchObject({ id: 'one' });
    expect((await workspace.json('session', 'list')).sessions).toEqual([]);
    expect((await workspace.pal('session', 'list')).stdout).toContain('no sessions yet');
  });

  test('[INT1a] a note counts as shown, and a prompt as said', async () => {
    const workspace = user.workspace();
    await workspace.pal('session', 'start', '--id', 's');
    expect(
      documentOf(await workspace.say(['note', '--json'], { session: 's', kind: 'read', path: 'a.txt', lines: [1, 2] })),
    ).toMatchObject({ notices: [] });
    expect(
      (await workspace.say(['note'], { session: 's', kind: 'prompt', text: 'look at @a.txt', turn: 't1' })).stdout,
    ).toBe('noted\n');
    expect((await workspace.json<{ files: unknown[] }>('stale')).files).toMatchObject([
      { path: 'a.txt', state: 'fresh' },
    ]);
  });

  test('[INT2a] a stale edit is denied with 5 and a reason that says what changed', async () => {
    const workspace = await edited();
    workspace.write('a.txt', 'one\n2\nthree\nfour\n');
    const call = {
      session: 's',
      callId: 'c3',
      tool: 'Edit',
      input: { file_path: 'a.txt', old_string: '2', new_string: 'two' },
    };
    const json = await workspace.say(['tool', 'begin', '--json'], call);
    expect(json.exit).toBe(5);
    expect(documentOf(json)).toMatchObject({ decision: 'deny', reason: expect.stringContaining('four') });
    const text = await workspace.say(['tool', 'begin'], { ...call, callId: 'c4' });
    expect(text).toMatchObject({ exit: 5, stdout: expect.stringMatching(/^denied\n(.|\n)*\+four/) });
    expect(workspace.read('a.txt')).toBe('one\n2\nthree\nfour\n');
    expect((await workspace.json<{ stale: unknown[] }>('status')).stale).toMatchObject([
      { session: 's', path: 'a.txt', state: 'stale' },
    ]);
  });
});

describe('where a command works', () => {
  test('[INT1b] in a folder of the workspace, with -C, and through a link, it is the same workspace', async () => {
    const workspace = user.workspace({ 'src/deep/x.txt': 'x\n' });
    const id = async (ran: Promise<Ran>) =>
      documentOf<{ workspace: { id: string; root: string } }>(await ran).workspace;
    const root = await id(workspace.pal('status', '--json'));
    expect(root.root).toBe(workspace.root);
    expect(await id(user.pal(['status', '--json'], { cwd: `${workspace.root}/src/deep` }))).toEqual(root);
    expect(await id(user.pal(['-C', `${workspace.root}/src`, 'status', '--json']))).toEqual(root);
    expect(await id(user.pal(['status', '--json', '-C', workspace.root]))).toEqual(root);
    symlinkSync(workspace.root, `${workspace.root}-link`);
    expect(await id(user.pal(['-C', `${workspace.root}-link/src`, 'status', '--json']))).toEqual(root);
    const call = { session: 's', callId: 'c', tool: 'Read', input: { file_path: 'x.txt' } };
    expect(
      (await user.pal(['-C', `${workspace.root}-link/src/deep`, 'tool', 'begin'], { stdin: JSON.stringify(call) }))
        .exit,
    ).toBe(0);
    expect((await workspace.say(['tool', 'end'], { session: 's', callId: 'c' })).exit).toBe(0);
    expect(await workspace.json('stale')).toMatchObject({ files: [{ path: 'src/deep/x.txt', state: 'fresh' }] });
  });

  test('[INT1b] without git it is the folder itself, and the nearest known one from inside', async () => {
    const folder = user.folderOf({ 'a.txt': 'a\n', 'sub/b.txt': 'b\n' });
    expect(await folder.json('status')).toMatchObject({ workspace: { root: folder.root, git: false } });
    expect(documentOf(await user.pal(['status', '--json'], { cwd: `${folder.root}/sub` }))).toMatchObject({
      workspace: { root: folder.root },
    });
    const ran = await folder.call('s', 'c', 'Write', { file_path: 'new.txt', content: 'n\n' }, () =>
      folder.write('new.txt', 'n\n'),
    );
    expect(documentOf<Changes>(ran).changes).toMatchObject([{ path: 'new.txt', kind: 'create' }]);
  });

  test('[INT1b] paths are read from where the user is', async () => {
    const workspace = user.workspace({ 'src/x.txt': 'x\n' });
    await workspace.call('s', 'c', 'Bash', { command: 'echo y > src/x.txt' }, () =>
      workspace.write('src/x.txt', 'y\n'),
    );
    const { changes } = documentOf<Changes>(
      await user.pal(['changes', '--path', 'x.txt', '--json'], { cwd: `${workspace.root}/src` }),
    );
    expect(changes).toMatchObject([{ path: 'src/x.txt' }]);
  });
});

describe('errors', () => {
  const failing: readonly (readonly [string, readonly string[], number, string])[] = [
    ['an unknown command', ['chnages'], 2, 'usage'],
    ['an unknown option', ['status', '--nope'], 2, 'usage'],
    ['a missing argument', ['blame'], 2, 'usage'],
    ['too many arguments', ['status', 'extra'], 2, 'usage'],
    ['a value that is not among the choices', ['changes', '--status', 'maybe'], 2, 'usage'],
    ['a seq that is no number', ['log', '--since', 'x'], 2, 'usage'],
    ['a group without its command', ['session'], 2, 'usage'],
    ['an unknown change', ['show', 'c999.1'], 4, 'unknown-change'],
    ['an id that is none', ['show', '../../etc/passwd'], 4, 'bad-id'],
    ['an unknown session', ['session', 'show', 'nobody'], 4, 'unknown-session'],
    ['stale of an unknown session', ['stale', '--session', 'nobody'], 4, 'unknown-session'],
    ['a folder that is not there', ['-C', '/nowhere/at/all', 'status'], 4, 'not-a-folder'],
    ['a path outside', ['changes', '--path', '/etc/passwd'], 2, 'outside'],
    ['no input', ['tool', 'begin'], 2, 'bad-input'],
  ];

  test.each(failing)('[INT2a] %s', async (_, args, exit, code) => {
    const workspace = shared();
    const json = await workspace.pal(...args, '--json');
    expect(json).toMatchObject({ exit, stderr: '' });
    const { error } = documentOf<ErrorDocument>(json);
    expect(error).toMatchObject({ code, message: expect.stringMatching(/\w/) });
    const text = await workspace.pal(...args);
    expect(text).toMatchObject({ exit, stdout: '', stderr: expect.stringMatching(/^pal: .+\n/) });
    expect(`${json.stdout}${text.stderr}`).not.toMatch(/\n\s+at .*:\d+:\d+/);
  });

  test.each([
    ['not json'],
    ['[1]'],
    ['"text"'],
    ['{"session":'],
    ['{}'],
    ['{"session":"s","callId":"","tool":"Edit"}'],
  ])('[INT2a] %s on standard input is wrong usage', async (stdin) => {
    const ran = await shared().say(['tool', 'begin', '--json'], stdin);
    expect(ran.exit).toBe(2);
    expect(documentOf<ErrorDocument>(ran).error.code).toMatch(/^bad-|invalid/);
  });

  test('[INT2b] a stack trace is shown only when it is asked for', async () => {
    const workspace = shared();
    const ran = await user.pal(['show', 'c999.1'], { cwd: workspace.root, env: { PAL_DEBUG: '1' } });
    expect(ran.exit).toBe(4);
    expect(ran.stderr).toMatch(/\n\s+at /);
  });

  let one: ReturnType<User['workspace']> | null = null;
  const shared = () => {
    one ??= user.workspace();
    return one;
  };
});

test('[SEC4i] what comes in nested too deeply is told so, also by the short way to a daemon that runs', async () => {
  const user = new User();
  try {
    const workspace = user.workspace();
    await workspace.pal('status');
    const deep = `{"session":"S","callId":"c","tool":"Bash","input":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const ran = await workspace.say(['tool', 'begin'], deep);
    expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining('standard input is nested too deeply')]);
  } finally {
    user.leave();
  }
});
