import { chmodSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { documentOf, type ErrorDocument, User, type Workspace } from './pal.fixture.js';

let user: User;
let workspace: Workspace;
const WHO = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.invalid'];
const commit = (message: string, ...options: string[]) =>
  workspace.git(...WHO, 'commit', '-q', '-m', message, ...options);

beforeEach(async () => {
  user = new User();
  workspace = user.workspace({ 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'x\n' });
  await workspace.pal('session', 'start', '--id', 's', '--agent', 'claude', '--model', 'claude-opus-4-5');
  await workspace.say(['note'], { session: 's', kind: 'prompt', text: 'Count to five.\nIn words.' });
  await edit('1', 'a.txt', 'one\ntwo\nthree\nfour\nfive\n');
});
afterEach(() => user.leave());

/** An edit of the agent that its input proves. */
async function edit(call: string, path: string, text: string): Promise<void> {
  await workspace.say(['tool', 'begin'], {
    session: 's',
    callId: `r${call}`,
    tool: 'Read',
    input: { file_path: path },
  });
  await workspace.say(['tool', 'end'], { session: 's', callId: `r${call}` });
  const input = { file_path: path, content: text };
  const done = await workspace.call('s', call, 'Write', input, () => workspace.put(path, text));
  expect(done.exit).toBe(0);
}

/** A person saves it, and says so. */
async function save(path: string, text: string): Promise<void> {
  workspace.put(path, text);
  await workspace.say(['note'], { kind: 'saved', path });
}

describe('whose the lines of a commit are', () => {
  test('[ATT1] blame names the model that the session ran on when it wrote the line', async () => {
    await workspace.pal('session', 'start', '--id', 's', '--model', 'claude-haiku');
    await edit('2', 'a.txt', 'one\ntwo\nthree\nfour\nfive\nsix\n');
    const { lines } = await workspace.json<{ lines: { author: { model?: string } }[] }>('blame', 'a.txt');
    expect(lines.map(({ author }) => author.model)).toEqual([
      ...[undefined, undefined, undefined],
      ...['claude-opus-4-5', 'claude-opus-4-5', 'claude-haiku'],
    ]);
  });

  test('[ATT2a] of a commit they are who wrote them then, whatever was written over them since', async () => {
    await save('a.txt', 'zero\none\ntwo\nthree\nfour\nfive\n');
    workspace.git('add', '-A');
    commit('first');
    await edit('2', 'a.txt', 'all new\n');
    await save('a.txt', 'all mine\n');
    expect(await workspace.pal('trailers', 'HEAD')).toMatchObject({
      exit: 0,
      stdout: 'Assisted-by: claude:claude-opus-4-5\n',
    });
    const { files } = await workspace.json<{ files: object[] }>('commit-message', 'HEAD');
    expect(files).toEqual([
      {
        ...{ path: 'a.txt', kind: 'modify', added: 3, removed: 0 },
        by: [
          { who: 'by hand', tools: [], lines: 1 },
          { who: 'claude', tools: ['Write'], lines: 2 },
        ],
      },
    ]);
  });

  test('[ATT2a] of a part that was staged alone they are known as well', async () => {
    await save('a.txt', 'one\ntwo\nthree\nfour\nfive\nby hand\n');
    // The index holds a text that the file never had.
    workspace.write('part.txt', 'one\ntwo\nthree\nfive\nby hand\n');
    const part = workspace.git('hash-object', '-w', 'part.txt').trim();
    workspace.git('update-index', '--cacheinfo', `100644,${part},a.txt`);
    const { files } = await workspace.json<{ files: object[] }>('commit-message');
    expect(files).toMatchObject([
      {
        path: 'a.txt',
        added: 2,
        by: [
          { who: 'claude', lines: 1 },
          { who: 'by hand', lines: 1 },
        ],
      },
    ]);
  });

  test('[ATT2b] what git does not know is refused, and reading writes nothing in the repository', async () => {
    const before = workspace.git('for-each-ref');
    for (const range of ['nowhere..HEAD', '--all', 'HEAD:a.txt']) {
      const refused = await workspace.pal('trailers', '--json', '--', range);
      expect([refused.exit, documentOf<ErrorDocument>(refused).error.code]).toEqual([4, 'unknown-commit']);
    }
    expect(workspace.git('for-each-ref')).toBe(before);
    const plain = user.folderOf({ 'a.txt': 'x\n' });
    expect((await plain.pal('commit-message')).stderr).toContain('no git repository');
  });
});

describe('for the commit', () => {
  test('[ATT5] the message says what was asked and what was changed by whom, of what is staged or else of all', async () => {
    await save('b.txt', 'x\nmine\n');
    workspace.write('c.txt', 'new\n');
    const all = await workspace.pal('commit-message');
    expect(all.stdout.split('\n')).toEqual([
      'Count to five',
      '',
      'claude was asked:',
      '> Count to five.',
      '> In words.',
      '',
      '- a.txt: +2, claude (Write)',
      '- b.txt: +1, by hand',
      '- c.txt: new, +1, by hand',
      '',
      'Assisted-by: claude:claude-opus-4-5',
      '',
    ]);
    workspace.git('add', 'b.txt');
    const staged = await workspace.pal('commit-message');
    expect(staged.stdout).toBe('Change b.txt\n\n- b.txt: +1, by hand\n');
    workspace.git('add', '-A');
    commit('all');
    expect((await workspace.pal('commit-message')).stderr).toContain('everything is committed');
    expect((await workspace.pal('commit-message', 'HEAD~1..HEAD')).stdout).toBe(all.stdout);
  });

  test('[ATT4] trailers name tools of analysis that are given, and no agent on request', async () => {
    workspace.git('add', '-A');
    commit('all');
    const told = await workspace.pal('trailers', 'HEAD', '--tool', 'sparse', 'clang-tidy');
    expect(told.stdout).toBe('Assisted-by: claude:claude-opus-4-5 sparse clang-tidy\n');
    expect((await workspace.pal('trailers', 'HEAD', '--llm')).stdout).toBe('Assisted-by: LLM\n');
    expect(await workspace.json('trailers', 'HEAD~1')).toEqual({ trailers: [] });
  });

  test('[ATT3a] [ATT3b] blame in the formats of others names the lines, the model and the commit', async () => {
    const open = await workspace.json<{ vcs?: object }>('blame', 'a.txt', '--format', 'agent-trace');
    expect(open).not.toHaveProperty('vcs');
    workspace.git('add', '-A');
    commit('all');
    const head = workspace.git('rev-parse', 'HEAD').trim();
    const trace = await workspace.json('blame', 'a.txt', '--format', 'agent-trace');
    expect(trace).toMatchObject({
      version: '0.1',
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      vcs: { type: 'git', revision: head },
      tool: { name: 'palimpsest' },
      files: [
        {
          path: 'a.txt',
          conversations: [
            { contributor: { type: 'unknown' }, ranges: [{ start_line: 1, end_line: 3 }] },
            {
              contributor: { type: 'ai', model_id: 'anthropic/claude-opus-4-5' },
              ranges: [{ start_line: 4, end_line: 5 }],
            },
          ],
        },
      ],
    });
    const log = await workspace.pal('blame', 'a.txt', '--format', 'git-ai');
    expect(log.stdout).toMatch(/^a\.txt\n {2}s_[0-9a-f]{14}::t_[0-9a-f]{14} 4-5\n---\n\{/);
    expect(JSON.parse(log.stdout.split('\n---\n')[1]!)).toMatchObject({ base_commit_sha: head });
    expect((await workspace.pal('blame', 'b.txt', '--format', 'git-ai')).exit).toBe(1);
    await edit('2', 'a"b', 'new\n');
    const unnamed = await workspace.pal('blame', 'a"b', '--format', 'git-ai');
    expect([unnamed.exit, unnamed.stderr]).toEqual([2, expect.stringContaining('no way to write the name a"b')]);
  });

  test('[ATT6] notes are written on request only, once for each commit, and nothing else in the repository is', async () => {
    workspace.git('add', '-A');
    commit('all');
    const state = () => [
      workspace.git('for-each-ref', 'refs/heads', 'refs/tags', 'refs/stash'),
      workspace.git('status', '--porcelain'),
      workspace.git('rev-parse', 'HEAD', 'HEAD:'),
    ];
    const before = state();
    workspace.write('.git/hooks/reference-transaction', `#!/bin/sh\ntouch ${workspace.root}/hook-ran\n`);
    chmodSync(join(workspace.root, '.git/hooks/reference-transaction'), 0o755);
    const planned = await workspace.json<{ notes: { text: string }[] }>('notes', 'HEAD~1..', '--dry-run');
    expect(workspace.git('for-each-ref', 'refs/notes')).toBe('');
    const done = await workspace.json<{ notes: object[] }>('notes', 'HEAD~1..');
    expect(done.notes).toEqual([
      { commit: workspace.git('rev-parse', 'HEAD').trim(), ...planned.notes[0], state: 'written' },
    ]);
    const note = workspace.git('notes', '--ref=ai', 'show', 'HEAD');
    expect(note).toBe(planned.notes[0]!.text);
    expect(note).toMatch(/^a\.txt\n {2}s_[0-9a-f]{14}::t_[0-9a-f]{14} 4-5\n---\n/);
    expect(JSON.parse(note.split('\n---\n')[1]!)).toMatchObject({
      base_commit_sha: workspace.git('rev-parse', 'HEAD~1').trim(),
      sessions: { [/s_\w+/.exec(note)![0]]: { human_author: 'Ann <ann@example.invalid>' } },
    });
    expect(await workspace.json('notes', 'HEAD')).toMatchObject({ notes: [{ state: 'left' }] });
    expect((await workspace.pal('notes', 'HEAD~1')).stdout).toContain('1 commit without a line of an agent');
    expect(state()).toEqual(before);
  });

  test('[ATT6] notes go nowhere else, whatever stands in the place of their ref', async () => {
    workspace.git('add', '-A');
    commit('all');
    workspace.git('branch', 'victim');
    const outside = user.folderOf({ ai: '' });
    const state = () => [workspace.git('for-each-ref', 'refs/heads'), readdirSync(outside.root), outside.read('ai')];
    const before = state();
    const refused = async () => {
      const told = await workspace.pal('notes', 'HEAD');
      expect([told.exit, told.stderr]).toEqual([2, expect.stringContaining('refs/notes/ai of this repository leads')]);
      expect(state()).toEqual(before);
    };
    workspace.git('symbolic-ref', 'refs/notes/ai', 'refs/heads/victim');
    await refused();
    workspace.git('symbolic-ref', '--delete', 'refs/notes/ai');
    for (const folder of ['refs/notes', 'logs/refs/notes']) {
      const link = join(workspace.root, '.git', folder);
      rmSync(link, { recursive: true, force: true });
      symlinkSync(outside.root, link);
      await refused();
      rmSync(link);
    }
    expect(await workspace.json('notes', 'HEAD')).toMatchObject({ notes: [{ state: 'written' }] });
  });
});

describe('in sum', () => {
  test('[ATT7] a session is told as Markdown, by prompt, with what became of each change', async () => {
    await workspace.say(['note'], { session: 's', kind: 'prompt', text: 'Now | <b> in b.txt @ann' });
    await edit('2', 'b.txt', 'y\n');
    const [change] = (await workspace.json<{ changes: { id: string }[] }>('changes', '--path', 'b.txt')).changes;
    await workspace.pal('reject', change!.id, '--comment', 'not | this');
    const { stdout } = await workspace.pal('session', 'export', 's', '--format', 'md');
    expect(stdout).toMatch(/^## Count to five\.\n\n- claude on `claude-opus-4-5`, session `s`, since \d{4}-/);
    expect(stdout).toContain('- 2 changes in 2 files, +3 −1 lines: 1 rejected, 1 pending\n');
    expect(stdout).toContain(
      '### 1. Count to five.\n\n> Count to five.\n> In words.\n\n- Read\n- Write `a.txt`\n\n| File |',
    );
    expect(stdout).toContain('| `a.txt` | modify | Write | +2 −0 | pending |\n');
    expect(stdout).toContain('> Now \\| \\<b\\> in b.txt @\u200bann\n');
    expect(stdout).toContain('| `b.txt` | modify | Write | +1 −1 | rejected: not \\| this |\n');
  });

  test('[ATT8] stats count verdicts, lines and what survived of them, by agent and tool', async () => {
    await edit('2', 'b.txt', 'y\nz\n');
    await workspace.pal('accept', '--path', 'a.txt');
    await workspace.pal('reject', '--path', 'b.txt');
    await save('a.txt', 'one\ntwo\nthree\nfour\n');
    const tally = {
      ...{ sessions: 1, calls: 2, changes: 2, accepted: 1, rejected: 1, pending: 0, conflict: 0 },
      ...{ added: 4, removed: 1, survived: 1 },
    };
    expect(await workspace.json('stats')).toEqual({
      agents: [{ agent: 'claude', ...tally }],
      tools: [{ agent: 'claude', tool: 'Write', ...tally }],
      unread: [],
    });
    expect((await workspace.pal('stats')).stdout).toMatch(/claude +2 +1 +1 +- +4 +1 +1\n {2}Write +2 /);
  });
});
