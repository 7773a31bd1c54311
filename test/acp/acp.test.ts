import { afterAll, describe, expect, test } from 'vitest';
import { User } from '../cli/pal.fixture.js';
import { Editor } from './editor.fixture.js';

const user = new User();
afterAll(() => user.leave());

const OUTSIDE = 'one\ntwo\nTHREE\n';
const CHANGED = 'a.txt has changed since you last saw it';

const reading = (path: string, status: string) => ({
  kind: 'update',
  update: {
    sessionUpdate: status === 'in_progress' ? 'tool_call' : 'tool_call_update',
    toolCallId: `read ${path}`,
    title: path,
    kind: 'read',
    status,
    locations: [{ path }],
  },
});
const read = (path: string) => [reading(path, 'in_progress'), reading(path, 'completed')];

describe('bytes', () => {
  const LINES = [
    '{"jsonrpc":"2.0","id":1,"method":"of/tomorrow","params":{"big":12345678901234567890,"n":1.0e5}}\n',
    ' {"method" : "session/update","jsonrpc":"2.0", "params":{"sessionId":"x","update":{"sessionUpdate":"new_kind","\\u00e9":"\\ud83d"}}}\r\n',
    'not JSON at all\n',
    '\n',
    '[]\n',
    '{"jsonrpc":"2.0","id":"1","result":null}\n',
    '{"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":{"sessionId":"unheard of"}}\n',
    `{"x":"${'é'.repeat(200_000)}"}\n`,
    'no end',
  ];

  test('[AGT4a] what is not ours to answer passes byte for byte, both ways', async () => {
    const workspace = user.workspace();
    const child = user.start(['acp', '--', 'cat'], { cwd: workspace.root });
    const chunks: Buffer[] = [];
    child.stdout!.on('data', (chunk: Buffer) => void chunks.push(chunk));
    const bytes = Buffer.concat([
      Buffer.from(LINES.slice(0, -1).join('')),
      Buffer.from([0xff, 0xfe, 0x0a]),
      Buffer.from('no end'),
    ]);
    child.stdin!.end(bytes);
    const exit = await new Promise((resolve) => child.on('close', resolve));
    expect(exit).toBe(0);
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  });

  test('[AGT4a] it ends as the agent does, and says so when there is none', async () => {
    const { exit } = await user.pal(['acp', '--', 'sh', '-c', 'exit 7']);
    expect(exit).toBe(7);
    const missing = await user.pal(['acp', '--', 'no-such-agent']);
    expect(missing).toMatchObject({
      exit: 1,
      stdout: '',
      stderr: expect.stringContaining('no-such-agent could not be started'),
    });
  });
});

describe('an editor, an agent, and us between them', () => {
  test('[AGT4b] calls and prompts are recorded once, under the session and the name of the agent', async () => {
    const workspace = user.workspace();
    const editor = await Editor.open(workspace);
    const file = `${workspace.root}/a.txt`;
    const edit = (status: string) => ({
      kind: 'update',
      update: {
        sessionUpdate: status === 'pending' ? 'tool_call' : 'tool_call_update',
        toolCallId: 'edit-1',
        ...(status === 'pending' ? { title: 'edit' } : {}),
        kind: 'edit',
        status,
        rawInput: status === 'pending' ? {} : { filePath: file, oldString: 'two', newString: '2' },
      },
    });
    const save = { kind: 'save', path: file, content: 'one\n2\nthree\n' };
    await editor.do(...read(file), edit('pending'), edit('in_progress'), save, edit('completed'));
    await editor.do();
    expect(await editor.leave()).toBe(0);
    // The agent waits for nobody when it says that a call runs: the news of it may come after what it did.
    const { changes } = await workspace.json<{ changes: object[] }>('changes', '--status', 'all');
    expect(changes).toMatchObject([
      {
        path: 'a.txt',
        session: editor.sessionId,
        agent: 'scripted',
        callId: 'edit-1',
        tool: 'Edit',
        evidence: expect.stringMatching(/^(exact|inferred)$/),
      },
    ]);
    const { operations } = await workspace.json<{ operations: { kind: string; text?: string }[] }>('log');
    const prompts = operations.filter(({ kind }) => kind === 'prompted');
    expect(prompts).toHaveLength(2);
    expect(prompts[1]!.text).toBe('[]');
    const { sessions } = await workspace.json<{ sessions: object[] }>('session', 'list');
    expect(sessions).toMatchObject([{ id: editor.sessionId, agent: 'scripted', state: 'ended' }]);
  });

  test('[AGT4c] an edit on old text is refused where permission is asked; what is not, the editor decides', async () => {
    const workspace = user.workspace();
    const editor = await Editor.open(workspace, { permits: 'reject_once' });
    const file = `${workspace.root}/a.txt`;
    const ask = (id: string, newText: string) => ({
      kind: 'permission',
      toolCall: {
        toolCallId: id,
        title: 'a.txt',
        kind: 'edit',
        status: 'pending',
        locations: [{ path: file }],
        content: [{ type: 'diff', path: file, oldText: 'one\ntwo\nthree\n', newText }],
      },
    });
    const [, , fresh] = await editor.do(...read(file), ask('fresh', 'one\n2\nthree\n'));
    expect([fresh, editor.asked]).toEqual([{ outcome: { outcome: 'selected', optionId: 'no' } }, ['fresh']]);

    workspace.write('a.txt', OUTSIDE);
    const [stale] = await editor.do(ask('stale', 'one\n2\nthree\n'));
    expect(stale).toMatchObject({ outcome: { outcome: 'selected', optionId: 'no' } });
    expect(JSON.stringify(stale)).toContain(CHANGED);
    expect(editor.asked).toEqual(['fresh']);
    const shown = editor.updates.find((update) => 'toolCallId' in update && update.toolCallId === 'stale');
    expect(shown).toMatchObject({ status: 'failed', locations: [{ path: file }] });
    expect(JSON.stringify(shown)).toContain(CHANGED);
    await editor.leave();
  });

  test('[AGT4d] a stale write does not reach the editor, and the agent is told what changed; a fresh one is recorded', async () => {
    const workspace = user.workspace();
    const editor = await Editor.open(workspace);
    const file = `${workspace.root}/a.txt`;
    const write = (content: string) => ({ kind: 'write', path: file, content });
    expect(await editor.do(write('OVERWRITTEN\n'))).toEqual([{ error: expect.stringContaining('has not been read') }]);

    await editor.do(...read(file));
    workspace.write('a.txt', OUTSIDE);
    const [refused] = (await editor.do(write('one\n2\nthree\n'))) as [{ error: string }];
    expect(refused.error).toContain(CHANGED);
    expect(refused.error).toContain('+THREE');
    expect(workspace.read('a.txt')).toBe(OUTSIDE);

    const again = reading(file, 'in_progress');
    again.update.toolCallId = 'again';
    const over = { ...again, update: { ...again.update, sessionUpdate: 'tool_call_update', status: 'completed' } };
    await editor.do(again, over);
    expect(
      await editor.do(write('one\n2\nTHREE\n'), { kind: 'write', path: `${workspace.root}/new.txt`, content: 'n\n' }),
    ).toEqual([{}, {}]);
    expect(workspace.read('a.txt')).toBe('one\n2\nTHREE\n');
    await editor.leave();
    const { changes } = await workspace.json<{ changes: object[] }>('changes');
    expect(changes).toMatchObject([
      { path: 'a.txt', agent: 'scripted', tool: 'Write', evidence: 'exact' },
      { path: 'new.txt', agent: 'scripted', tool: 'Write', kind: 'create' },
    ]);
  });

  test('[AGT4d] between a permission and the write a person may have been asked for long: the guard looks again', async () => {
    const workspace = user.workspace();
    const editor = await Editor.open(workspace);
    const file = `${workspace.root}/a.txt`;
    const content = 'one\n2\nthree\n';
    const diff = { type: 'diff', path: file, oldText: 'one\ntwo\nthree\n', newText: content };
    const toolCall = { toolCallId: 'w', title: 'w', kind: 'edit', locations: [{ path: file }], content: [diff] };
    await editor.do(...read(file), { kind: 'permission', toolCall });
    workspace.write('a.txt', OUTSIDE);
    expect(await editor.do({ kind: 'write', path: file, content })).toEqual([
      { error: expect.stringContaining(CHANGED) },
    ]);
    expect(workspace.read('a.txt')).toBe(OUTSIDE);
    await editor.leave();
  });

  test('[AGT4e] what the editor reads for the agent counts as shown, with its lines', async () => {
    const workspace = user.workspace();
    const editor = await Editor.open(workspace);
    const file = `${workspace.root}/a.txt`;
    const [part] = await editor.do({ kind: 'read', path: file, line: 1, limit: 2 });
    expect(part).toEqual({ content: 'one\ntwo\n' });
    expect(await editor.do({ kind: 'write', path: file, content: 'one\ntwo\n3\n' })).toEqual([
      { error: expect.stringContaining('a.txt') },
    ]);
    expect(await editor.do({ kind: 'write', path: file, content: 'one\n2\nthree\n' })).toEqual([{}]);
    await editor.do({ kind: 'read', path: `${workspace.root}/missing.txt` });
    await editor.leave();
    const { operations } = await workspace.json<{ operations: { kind: string }[] }>('log');
    expect(operations.filter(({ kind }) => kind === 'shown')).toHaveLength(1);
  });

  test('[AGT4e] what changes right after the agent has got it is newer than what it saw', async () => {
    const workspace = user.workspace();
    const editor = await Editor.open(workspace);
    const file = `${workspace.root}/a.txt`;
    const [, , written] = await editor.do(
      { kind: 'read', path: file },
      { kind: 'save', path: file, content: OUTSIDE },
      { kind: 'write', path: file, content: 'one\n2\nthree\n' },
    );
    expect(written).toEqual({ error: expect.stringContaining('has changed since') });
    expect(workspace.read('a.txt')).toBe(OUTSIDE);
    await editor.leave();
  });

  test('[AGT4e] what Gemini CLI looks at for itself before it edits is not shown to its model', async () => {
    const workspace = user.workspace();
    const editor = await Editor.open(workspace, { env: { AGENT_NAME: 'gemini-cli' } });
    const file = `${workspace.root}/a.txt`;
    const [looked, written] = await editor.do(
      { kind: 'read', path: file },
      { kind: 'write', path: file, content: 'x\n' },
    );
    expect([looked, written]).toEqual([
      { content: 'one\ntwo\nthree\n' },
      { error: expect.stringContaining('has not been read') },
    ]);
    await editor.leave();
    const { sessions } = await workspace.json<{ sessions: object[] }>('session', 'list');
    expect(sessions).toMatchObject([{ agent: 'gemini' }]);
  });

  test('[AGT4c] [AGT4d] an agent that writes through the editor hears there why, and the editor decides before', async () => {
    const workspace = user.workspace();
    const editor = await Editor.open(workspace, { env: { AGENT_NAME: 'gemini-cli' } });
    const file = `${workspace.root}/a.txt`;
    const content = [{ type: 'diff', path: file, oldText: 'one\ntwo\nthree\n', newText: 'x\n' }];
    const toolCall = { toolCallId: 'w', title: 'w', kind: 'edit', locations: [{ path: file }], content };
    const [allowed, refused] = await editor.do(
      { kind: 'permission', toolCall },
      { kind: 'write', path: file, content: 'x\n' },
    );
    expect(allowed).toEqual({ outcome: { outcome: 'selected', optionId: 'yes' } });
    expect(refused).toEqual({ error: expect.stringContaining('has not been read') });
    await editor.leave();
    const { operations } = await workspace.json<{ operations: { kind: string; call?: string }[] }>('log');
    expect(operations.filter(({ kind }) => kind === 'call-began').map(({ call }) => call)).toEqual(['w']);
  });

  test('[AGT4f] without a daemon everything passes', async () => {
    const workspace = user.workspace();
    const data = `${workspace.root}/a.txt/no-folder`;
    const editor = await Editor.open(workspace, { env: { PALIMPSEST_HOME: data } });
    const file = `${workspace.root}/a.txt`;
    const toolCall = { toolCallId: 'w', title: 'w', kind: 'edit', rawInput: { filePath: file, content: 'x' } };
    const done = await editor.do({ kind: 'permission', toolCall }, { kind: 'write', path: file, content: 'x\n' });
    expect(done).toEqual([{ outcome: { outcome: 'selected', optionId: 'yes' } }, {}]);
    expect(workspace.read('a.txt')).toBe('x\n');
    expect(await editor.leave()).toBe(0);
  });
});
