import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { User, type Workspace } from '../cli/pal.fixture.js';
import { McpClient } from './client.fixture.js';

const user = new User();
afterAll(() => user.leave());

type Listed = { sessions: { id: string; agent: string; state: string }[] };
type Changes = { changes: { path: string; session: string; callId: string; tool: string; evidence: string }[] };

const ANSWERS = new Set(['written', 'denied', 'moved', 'unreadable']);
const SAVES = 80;
/** What stands there with one more line, put in its place at once, and a pause that is now short, now long. */
const SAVING = `
  const fs = require('node:fs');
  const read = () => { try { return fs.readFileSync('a.txt', 'utf8'); } catch { return ''; } };
  for (let save = 0; save < ${SAVES}; save++) {
    const text = read();
    fs.writeFileSync('.tmp-save', text + 'human ' + save + '\\n');
    if (text === '' || read() !== text) { save -= 1; continue; }
    fs.renameSync('.tmp-save', 'a.txt');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, (save * 7) % 80);
  }`;

describe('sessions', () => {
  test('[AGT2d] two clients at once are two sessions: what one has read does not let the other edit', async () => {
    const workspace = user.workspace();
    const [first, second] = await Promise.all([
      McpClient.started(workspace, 'first'),
      McpClient.started(workspace, 'second'),
    ]);
    await first.call('pal_read', { path: 'a.txt' });
    const edit = { path: 'a.txt', old_string: 'two', new_string: '2' };
    expect(await second.call('pal_edit', edit)).toMatchObject({ failed: true, error: { code: 'denied' } });
    expect(await first.call('pal_edit', edit)).toMatchObject({ failed: false });
    await second.call('pal_read', { path: 'a.txt' });
    await second.call('pal_edit', { path: 'a.txt', old_string: 'one', new_string: '1' });
    const late = await first.call('pal_edit', { path: 'a.txt', old_string: 'one', new_string: 'uno' });
    expect(late).toMatchObject({ failed: true, error: { code: 'denied' } });
    expect(late.text).toContain('-one');
    expect(workspace.read('a.txt')).toBe('1\n2\nthree\n');
    await Promise.all([first.leave(), second.leave()]);
    const { sessions } = await workspace.json<Listed>('session', 'list');
    expect(sessions.map(({ agent, state }) => `${agent} ${state}`).sort()).toEqual(['first ended', 'second ended']);
  });

  test('[AGT2e] many edits at once, by two clients, lose nothing: each is written or refused', async () => {
    const files = Object.fromEntries(Array.from({ length: 4 }, (_, at) => [`f${at}.txt`, 'a\nb\nc\nd\n']));
    const workspace = user.workspace(files);
    const clients = await Promise.all([McpClient.started(workspace), McpClient.started(workspace)]);
    await Promise.all(clients.flatMap((client) => Object.keys(files).map((path) => client.call('pal_read', { path }))));
    const edits = clients.flatMap((client, who) =>
      Object.keys(files).map(async (path) => {
        const word = who === 0 ? 'a' : 'd';
        const { failed } = await client.call('pal_edit', { path, old_string: word, new_string: `${word}!` });
        return { path, line: `${word}!`, failed };
      }),
    );
    for (const { path, line, failed } of await Promise.all(edits))
      expect(workspace.read(path).split('\n').includes(line), `${path} ${line}`).toBe(!failed);
    await Promise.all(clients.map((client) => client.leave()));
  });

  test('[CHK5f] [AGT2e] a person who saves while we write loses no save', async () => {
    const workspace = user.workspace({ 'a.txt': 'start\n' });
    const client = await McpClient.started(workspace);
    const person = spawn(process.execPath, ['-e', SAVING], { cwd: workspace.root, stdio: 'ignore' });
    const gone = new Promise((resolve) => person.on('exit', resolve));
    const append = async (line: string) => {
      const { data, failed } = await client.call('pal_read', { path: 'a.txt' });
      if (failed) return 'unreadable';
      const content = `${String(data.content)}${line}\n`;
      const written = await client.call('pal_write', { path: 'a.txt', content });
      return written.failed ? written.error.code : 'written';
    };
    const answers = new Set<string | undefined>();
    for (let turn = 0; person.exitCode === null && person.signalCode === null; turn++)
      answers.add(await append(`agent ${turn}`));
    await gone;
    expect([...answers].filter((answer) => !ANSWERS.has(answer ?? ''))).toEqual([]);
    expect(await append('agent at last')).toBe('written');
    const lines = workspace.read('a.txt').split('\n');
    expect(Array.from({ length: SAVES }, (_, at) => `human ${at}`).filter((line) => !lines.includes(line))).toEqual([]);
    await client.leave();
  });

  test('[AGT2d] Codex names its session, and Claude Code its call, so that hooks and tools speak of the same', async () => {
    const workspace = user.workspace();
    const client = await McpClient.started(workspace, 'codex');
    const thread = { threadId: 'thread-1' };
    await client.call('pal_read', { path: 'a.txt' }, thread);
    await client.call('pal_edit', { path: 'a.txt', old_string: 'two', new_string: '2' }, thread);
    expect(await workspace.json<Changes>('changes')).toMatchObject({ changes: [{ session: 'thread-1' }] });

    // A hook has announced the call under the name that the client then sends along.
    const input = { path: 'a.txt', old_string: 'three', new_string: '3' };
    const hook = { session: 'claude-session', callId: 'toolu_9', tool: 'mcp__palimpsest__pal_edit', input };
    await workspace.call('claude-session', 'c0', 'Read', { file_path: 'a.txt' }, () => undefined);
    expect(await workspace.say(['tool', 'begin', '--json'], hook)).toMatchObject({ exit: 0 });
    expect(await client.call('pal_edit', input, { 'claudecode/toolUseId': 'toolu_9' })).toMatchObject({
      failed: false,
    });
    await workspace.say(['tool', 'end', '--json'], { session: hook.session, callId: hook.callId });
    const { changes } = await workspace.json<Changes>('changes', '--session', 'claude-session');
    expect(changes).toMatchObject([{ path: 'a.txt', callId: 'toolu_9', evidence: 'exact' }]);
    expect((await workspace.json<Changes>('changes', '--status', 'all')).changes).toHaveLength(2);
    await client.leave();
  });

  test('[AGT2d] a client that is ended by a signal ends its session', async () => {
    const workspace = user.workspace();
    const client = await McpClient.started(workspace);
    await client.call('pal_read', { path: 'a.txt' });
    client.child.kill('SIGTERM');
    expect(await client.exited).toMatchObject({ exit: 0 });
    expect(await workspace.json<Listed>('session', 'list')).toMatchObject({ sessions: [{ state: 'ended' }] });
  });
});

describe('which workspace', () => {
  let elsewhere: string;
  beforeAll(() => {
    elsewhere = join(user.folder, 'elsewhere');
    mkdirSync(elsewhere);
  });

  async function rootSeenBy(client: McpClient, capabilities: unknown): Promise<unknown> {
    await client.introduce('probe', '2025-06-18', capabilities);
    const { data } = await client.call('pal_status');
    await client.leave();
    return (data.workspace as { root: string }).root;
  }

  const naming = (workspace: Workspace) => () => ({
    roots: [{ uri: 'file://other-host/x' }, { uri: pathToFileURL(workspace.root).href }],
  });

  test('[AGT2g] the one around the folder, the root that the client names, or that of -C', async () => {
    const workspace = user.workspace({ 'in/b.txt': 'b\n' });
    const other = user.workspace();
    const inside = join(workspace.root, 'in');
    expect(await rootSeenBy(new McpClient(workspace, { cwd: inside }), {})).toBe(workspace.root);
    const offered = { cwd: elsewhere, onRequest: naming(workspace) };
    expect(await rootSeenBy(new McpClient(workspace, offered), { roots: {} })).toBe(workspace.root);
    const given = { args: ['-C', other.root, 'mcp'], onRequest: naming(workspace) };
    expect(await rootSeenBy(new McpClient(workspace, given), { roots: {} })).toBe(other.root);
    const broken = { cwd: inside, onRequest: () => ({ roots: 'none' }) };
    expect(await rootSeenBy(new McpClient(workspace, broken), { roots: {} })).toBe(workspace.root);
  });

  test('[AGT2g] a folder that is not there is said with the first call, and the connection lives', async () => {
    const client = new McpClient(user.workspace(), { args: ['-C', join(user.folder, 'nowhere'), 'mcp'] });
    await client.introduce();
    const { failed, text } = await client.call('pal_status');
    expect(failed).toBe(true);
    expect(text).toContain('nowhere');
    expect(await client.tools()).not.toHaveLength(0);
    await client.leave();
  });
});

describe('the daemon', () => {
  test('[AGT2g] [I8] killed between two calls, it is started again, and what was seen is still known', async () => {
    const workspace = user.workspace();
    const client = await McpClient.started(workspace);
    await client.call('pal_read', { path: 'a.txt' });
    process.kill(daemonPid(), 'SIGKILL');
    expect(await client.call('pal_edit', { path: 'a.txt', old_string: 'two', new_string: '2' })).toMatchObject({
      failed: false,
      data: { changes: [{ path: 'a.txt' }] },
    });
    process.kill(daemonPid(), 'SIGKILL');
    workspace.write('a.txt', 'one\nTWO\nthree\n');
    expect(await client.call('pal_edit', { path: 'a.txt', old_string: 'TWO', new_string: '2' })).toMatchObject({
      failed: true,
      error: { code: 'denied' },
    });
    expect(await client.leave()).toMatchObject({ exit: 0 });
  });

  test('[AGT2g] it is not started for a client that only looks at what there is', async () => {
    const alone = new User();
    const client = await McpClient.started(alone.workspace());
    await client.tools();
    await client.leave();
    expect(() => readFileSync(join(alone.data, 'daemon.json'))).toThrow();
    alone.leave();
  });
});

function daemonPid(): number {
  return (JSON.parse(readFileSync(join(user.data, 'daemon.json'), 'utf8')) as { pid: number }).pid;
}
