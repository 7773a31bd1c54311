import { existsSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { User, type Workspace } from './pal.fixture.js';

let user: User;
let workspace: Workspace;
beforeEach(() => {
  user = new User();
  workspace = user.workspace({ 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\n' });
});
afterEach(() => user.leave());

const text = (path: string) => readFileSync(join(workspace.root, path), 'utf8');
const has = (path: string) => existsSync(join(workspace.root, path));
const write = (call: string, path: string, content: string) =>
  workspace.call('S', call, 'Write', { file_path: path, content }, () => workspace.write(path, content));
const edited = async (call: string, old: string, next: string) => {
  await workspace.say(['note'], { session: 'S', kind: 'read', path: 'a.txt' });
  await workspace.call('S', call, 'Edit', { file_path: 'a.txt', old_string: old, new_string: next }, () =>
    workspace.write('a.txt', text('a.txt').replace(old, next)),
  );
  const { changes } = await workspace.json<{ changes: { id: string; seq: number }[] }>('changes', '--call', call);
  return changes[0]!;
};

describe('review on the command line', () => {
  test('[REV3a] reject, undo and redo around a human’s edit, in text and JSON', async () => {
    const change = await edited('c1', 'two', 'TWO');
    workspace.write('a.txt', `${text('a.txt')}mine\n`);
    const plan = await workspace.json('reject', change.id, '--dry-run');
    expect(plan).toMatchObject({ rejected: [change.id], cascaded: [], conflicts: [], written: ['a.txt'] });
    expect(text('a.txt')).toContain('TWO');
    expect((await workspace.pal('reject', change.id, '--comment', 'no')).stdout).toContain(
      '`pal undo` takes this back',
    );
    expect(text('a.txt')).toBe('one\ntwo\nthree\nfour\nfive\nsix\nmine\n');
    expect(await workspace.json('undo')).toMatchObject({ written: ['a.txt'] });
    expect(text('a.txt')).toContain('TWO');
    expect((await workspace.pal('redo')).exit).toBe(0);
    expect(text('a.txt')).not.toContain('TWO');
  });

  test('[REV9f] undo after a verdict that decided nothing says first what it would take back', async () => {
    const change = await edited('c1', 'two', 'TWO');
    await workspace.pal('reject', change.id);
    workspace.write('b.txt', 'mine\n');
    expect((await workspace.pal('accept', '--path', 'b.txt')).stdout).toContain('nothing of it is pending');
    const first = await workspace.pal('undo');
    expect([first.exit, first.stdout]).toEqual([1, expect.stringContaining(`rejection of ${change.id} in a.txt`)]);
    expect(text('a.txt')).not.toContain('TWO');
    expect(await workspace.pal('undo')).toMatchObject({ exit: 0, stdout: expect.stringContaining('undone: ') });
    expect(text('a.txt')).toContain('TWO');
    expect((await workspace.pal('log')).stdout).toMatch(new RegExp(`decided +reject ${change.id}\n`));
  });

  test('[REV2a] accept marks, and twice is once', async () => {
    const change = await edited('c1', 'two', 'TWO');
    expect(await workspace.json('accept', change.id)).toMatchObject({ accepted: [change.id], written: [] });
    expect((await workspace.pal('accept', change.id)).exit).toBe(0);
    expect((await workspace.json<{ changes: unknown[] }>('changes')).changes).toEqual([]);
  });

  test('[REV1h] [REV1i] a hunk alone, and `show` says which there are and how they stand', async () => {
    await workspace.say(['note'], { session: 'S', kind: 'read', path: 'a.txt' });
    await write('c1', 'a.txt', 'ONE\ntwo\nthree\nfour\nfive\nSIX\n');
    const { changes } = await workspace.json<{ changes: { id: string }[] }>('changes');
    const { id } = changes[0]!;
    expect((await workspace.pal('show')).stdout).toMatch(new RegExp(`^@@ .* @@ ${id}.1, ${id}.2$`, 'm'));
    expect((await workspace.pal('reject', id, '--hunk', `${id}.1`)).exit).toBe(0);
    expect(text('a.txt')).toBe('one\ntwo\nthree\nfour\nfive\nSIX\n');
    expect((await workspace.pal('show', id.split('.')[0]!)).stdout).toMatch(
      new RegExp(`^@@ .* @@ ${id}.1 \\(rejected\\), ${id}.2$`, 'm'),
    );
  });

  test('[INT3h] of a binary file the sizes are shown', async () => {
    await write('c1', 'logo.png', `\0${'x'.repeat(2047)}`);
    const shown = await workspace.pal('show');
    expect(shown.stdout).toContain('Binary file logo.png: new → 2.0 KiB');
    expect(shown.stdout).not.toContain('xxx');
    await workspace.pal('checkpoint', 'save');
    workspace.write('logo.png', '\0');
    expect((await workspace.pal('diff', '--path', 'logo.png')).stdout).toContain('2.0 KiB → 1 B');
    expect((await workspace.pal('show', '--stat')).stdout).toMatch(/A {2}logo.png +binary/);
  });

  test('[REV1c] [REV1g] folders, patterns and beginnings of ids choose; what fits nothing ends with 4', async () => {
    await write('call-1', 'lib/x.ts', 'x\n');
    await write('call-2', 'lib/y/z.ts', 'z\n');
    const listed = async (...args: string[]) =>
      (await workspace.json<{ changes: { path: string }[] }>('changes', ...args)).changes.map(({ path }) => path);
    expect(await listed('--path', 'lib')).toEqual(['lib/x.ts', 'lib/y/z.ts']);
    expect(await listed('--path', 'lib/**/z.*')).toEqual(['lib/y/z.ts']);
    for (const command of ['accept', 'reject', 'changes', 'show']) {
      const ran = await workspace.pal(command, '--path', 'libs/**');
      expect([command, ran.exit, ran.stdout]).toEqual([command, 4, '']);
      expect(ran.stderr).toContain('changes are pending in lib/x.ts, lib/y/z.ts');
      expect((await workspace.pal(command, '--session', 'nobody')).exit).toBe(4);
      expect((await workspace.pal(command, '--call', 'nothing')).exit).toBe(4);
    }
    expect((await workspace.pal('reject', '--call', 'call-')).exit).toBe(2);
    expect((await workspace.json('reject', '--call', 'call-2')).written).toEqual(['lib/y/z.ts']);
    expect((await workspace.json('reject', '--path', 'lib/*')).written).toEqual(['lib/x.ts']);
  });

  test('[REV6] a verdict on an older state ends with 3 and says what moved', async () => {
    const change = await edited('c1', 'two', 'TWO');
    workspace.write('a.txt', `${text('a.txt')}mine\n`);
    const ran = await workspace.pal('reject', change.id, '--at', String(change.seq), '--json');
    expect(ran.exit).toBe(3);
    expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code: 'moved', paths: ['a.txt'] } });
  });

  test('[REV5a] [REV5b] a conflict ends with 3, leaves the file, and is settled', async () => {
    const change = await edited('c1', 'two', 'TWO');
    workspace.write('a.txt', text('a.txt').replace('TWO', 'TWO and mine'));
    const ran = await workspace.pal('reject', change.id);
    expect(ran.exit).toBe(3);
    expect(ran.stdout).toContain('pal conflicts');
    expect(text('a.txt')).toContain('TWO and mine');
    expect((await workspace.json<{ changes: { id: string }[] }>('conflicts')).changes.map(({ id }) => id)).toEqual([
      change.id,
    ]);
    workspace.write('merged', 'one\nmine alone\nthree\nfour\nfive\nsix\n');
    expect((await workspace.pal('resolve', change.id, '--with', 'merged')).exit).toBe(0);
    expect(text('a.txt')).toContain('mine alone');
    expect((await workspace.pal('conflicts')).stdout).toContain('no conflicts');
  });

  test('[REV5f] [REV5g] both sides are shown, and can be put together in an editor', async () => {
    const change = await edited('c1', 'two', 'TWO');
    workspace.write('a.txt', text('a.txt').replace('TWO', 'TWO and mine'));
    expect((await workspace.pal('reject', change.id)).exit).toBe(3);
    const shown = (await workspace.pal('conflicts')).stdout;
    expect(shown).toMatch(
      new RegExp(`^${change.id} a\\.txt\n {2}rejected agent · Edit, .*\n {2}hunk {5}${change.id}\\.1\n`),
    );
    expect(shown).toMatch(/^ {2}edit {5}c\d+\.1 by human, /m);
    expect(shown).toContain('-TWO and mine\n+two\n');
    // VISUAL is set to nothing, and so says nothing.
    const editing = (editor: string) =>
      user.pal(['resolve', change.id, '--edit'], { cwd: workspace.root, env: { VISUAL: '', EDITOR: editor } });
    expect(await editing('true')).toMatchObject({ exit: 1, stderr: expect.stringContaining('conflict markers') });
    expect(await editing('false')).toMatchObject({ exit: 1, stderr: expect.stringContaining('ended with 1') });
    expect((await editing(`echo more >> '${workspace.root}/a.txt'; sed -i '/^[<=>]/d'`)).exit).toBe(3);
    workspace.write('a.txt', text('a.txt').replace('more\n', ''));
    expect(text('a.txt')).toContain('TWO and mine');
    const done = await editing("sed -i '/^[<=>]/d; s/^TWO and mine/both/'");
    expect([done.exit, done.stdout]).toEqual([0, expect.stringContaining(`the conflict of ${change.id} in a.txt`)]);
    expect(text('a.txt')).toBe('one\nboth\ntwo\nthree\nfour\nfive\nsix\n');
  });

  test('[SEC4c] a link in the place of a file in conflict leads nobody to what is elsewhere', async () => {
    const change = await edited('c1', 'two', 'TWO');
    workspace.write('a.txt', text('a.txt').replace('TWO', 'TWO and mine'));
    expect((await workspace.pal('reject', change.id)).exit).toBe(3);
    const place = join(workspace.root, 'a.txt');
    const secret = join(workspace.root, '..', `${change.id}.secret`);
    writeFileSync(secret, 'elsewhere\n');
    rmSync(place);
    symlinkSync(secret, place);
    const edit = ['resolve', change.id, '--edit'];
    const shown = await user.pal(edit, { cwd: workspace.root, env: { EDITOR: 'cat' } });
    expect([shown.exit, `${shown.stdout}${shown.stderr}`]).toEqual([2, expect.not.stringContaining('elsewhere')]);
    workspace.write('text', 'a text\n');
    expect((await workspace.pal('resolve', change.id, '--with', 'text')).exit).toBe(3);
    expect(readlinkSync(place)).toBe(secret);
  });

  test('[REV11a] blame names the agent, the prompt and the human', async () => {
    await workspace.say(['note'], { session: 'S', kind: 'prompt', text: 'make it loud' });
    await edited('c1', 'two', 'TWO');
    workspace.write('a.txt', `${text('a.txt')}mine\n`);
    const { lines } = await workspace.json<{ lines: { text: string; author: object }[] }>('blame', 'a.txt');
    expect(lines[1]).toMatchObject({
      text: 'TWO',
      author: { kind: 'agent', session: 'S', callId: 'c1', tool: 'Edit', prompt: 'make it loud' },
    });
    expect(lines[6]).toMatchObject({ text: 'mine', author: { kind: 'human' } });
  });

  test('[INT2a] wrong usage, and what is not there', async () => {
    expect((await workspace.pal('reject')).exit).toBe(2);
    expect((await workspace.pal('reject', 'c99.1')).exit).toBe(4);
    expect((await workspace.pal('resolve', 'c99.1')).exit).toBe(2);
    expect((await workspace.pal('blame', 'nothing.txt')).exit).toBe(4);
    expect((await workspace.pal('undo')).exit).toBe(1);
  });
});

describe('checkpoints on the command line', () => {
  test('[CHK3a] save, compare, plan, restore with the token, undo', async () => {
    const { checkpoint } = await workspace.json<{ checkpoint: { id: string } }>('checkpoint', 'save', '-m', 'before');
    await write('c1', 'new.txt', 'new\n');
    workspace.write('a.txt', 'changed\n');
    const { files } = await workspace.json<{ files: { kind: string; path: string }[] }>('diff', checkpoint.id);
    expect(files.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['modify a.txt', 'create new.txt']);
    const shown = await workspace.pal('diff', checkpoint.id, '--path', 'a.txt');
    expect(shown.stdout).toContain('-one\n');
    const plan = await workspace.json<{ token: string; yours: string[] }>(
      'checkpoint',
      'restore',
      checkpoint.id,
      '--dry-run',
    );
    expect(plan).toMatchObject({ writes: ['a.txt'], deletes: ['new.txt'], yours: ['a.txt'] });
    const done = await workspace.json<{ rescue: string }>(
      'checkpoint',
      'restore',
      checkpoint.id,
      '--token',
      plan.token,
    );
    expect(done).toMatchObject({ written: ['a.txt'], deleted: ['new.txt'] });
    expect(text('a.txt')).toBe('one\ntwo\nthree\nfour\nfive\nsix\n');
    expect((await workspace.pal('undo')).exit).toBe(0);
    expect(text('a.txt')).toBe('changed\n');
    workspace.write('a.txt', 'changed again\n');
    const late = await workspace.pal('checkpoint', 'restore', checkpoint.id, '--token', plan.token, '--json');
    expect([late.exit, JSON.parse(late.stdout).error.code]).toEqual([3, 'moved']);
  });

  test('[CHK3a] the line that a dry run ends with does what it said, also around people’s edits and for some paths', async () => {
    const { checkpoint } = await workspace.json<{ checkpoint: { id: string } }>('checkpoint', 'save');
    await write('c1', 'one file.txt', 'new\n');
    await write('c2', 'new.txt', 'new\n');
    workspace.write('a.txt', 'changed\n');
    const again = async (...options: string[]) => {
      const dry = await workspace.pal('checkpoint', 'restore', checkpoint.id, ...options, '--dry-run');
      const [, line] = /`pal (checkpoint restore .*)`/.exec(dry.stdout)!;
      return await workspace.pal(
        ...line!.split(/ (?=(?:[^']*'[^']*')*[^']*$)/).map((word) => word.replaceAll("'", '')),
      );
    };
    expect(await again('--paths', 'one file.txt')).toMatchObject({ exit: 0 });
    expect([has('one file.txt'), has('new.txt')]).toEqual([false, true]);
    expect(await again('--keep-mine')).toMatchObject({ exit: 0 });
    expect([has('new.txt'), text('a.txt')]).toEqual([false, 'changed\n']);
  });

  test('[CHK2b] list, pin, delete, gc, and a checkpoint that there is not', async () => {
    const { checkpoint } = await workspace.json<{ checkpoint: { id: string } }>('checkpoint', 'save', '-m', 'keep me');
    expect((await workspace.pal('checkpoint', 'list')).stdout).toContain('keep me');
    expect((await workspace.pal('checkpoint', 'pin', checkpoint.id)).exit).toBe(0);
    expect((await workspace.pal('gc', '--dry-run')).exit).toBe(0);
    expect((await workspace.pal('checkpoint', 'delete', checkpoint.id)).exit).toBe(0);
    expect((await workspace.pal('checkpoint', 'restore', checkpoint.id)).exit).toBe(4);
    expect(await workspace.json('gc')).toHaveProperty('left');
  });

  test('[SEC6a] forget', async () => {
    await write('c1', '.env', 'SECRET=1\n');
    expect(await workspace.json('forget', '.env', '--dry-run')).toMatchObject({ calls: 1, onDisk: ['.env'] });
    expect((await workspace.pal('forget', '.env')).stdout).toContain('still in your files');
    const { changes } = await workspace.json<{ changes: { after: { content: string } }[] }>('changes');
    expect((await workspace.pal('forget', 'nothing.txt')).exit).toBe(4);
    expect(changes).toHaveLength(1);
  });
});
