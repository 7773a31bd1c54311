import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnswerOf } from '@palimpsest/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentName } from '../../agents/agents.js';
import { must, Stage } from '../app.fixture.js';
import { hookTaker } from './take-hook.js';

let stage: Stage;
let root: string;
beforeEach(() => {
  stage = new Stage();
  root = stage.makeRoot();
  mkdirSync(join(root, '.git'));
  writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  put('a.txt', 'one\ntwo\n');
});
afterEach(() => stage.close());

const put = (name: string, text: string) => writeFileSync(join(root, name), text);
const client = () => stage.client(root);

async function hook(agent: AgentName, event: string, payload: Readonly<Record<string, unknown>>, directory = root) {
  return must(await client().takeHook({ params: { agent, event }, body: { directory, payload } }));
}

let clock = 0;
const gemini = (event: string, fields: Readonly<Record<string, unknown>> = {}): Promise<AnswerOf<'takeHook'>> =>
  hook('gemini', event, { session_id: 's', cwd: root, timestamp: `T${++clock}`, ...fields });
const claude = (event: string, fields: Readonly<Record<string, unknown>> = {}): Promise<AnswerOf<'takeHook'>> =>
  hook('claude', event, { session_id: 's', cwd: root, ...fields });
const reading = (id: string) => ({ tool_use_id: id, tool_name: 'Read', tool_input: { file_path: 'a.txt' } });
const shell = (command: string) => ({ tool_name: 'run_shell_command', tool_input: { command } });

async function changes() {
  return must(await client().listChanges({ query: { status: 'all' } })).changes;
}

describe('context along with a prompt', () => {
  const prompt = (text: string) => claude('UserPromptSubmit', { prompt: text });
  const wanted = () => client().changeSettings({ body: { set: { 'context.inject': true, 'context.tokens': 600 } } });

  test('[CTX6a] nothing goes along unless a setting says so', async () => {
    expect(await prompt('explain a.txt')).toEqual({});
  });

  test('[CTX6a] with the setting it does, within its budget, and is not said again while the model has it', async () => {
    must(await wanted());
    const { context } = await prompt('explain a.txt');
    expect(context).toBe('a.txt, all 2 lines (named in the prompt):\n```\none\ntwo\n```\n');
    expect(await prompt('explain a.txt')).toEqual({});
    await claude('SessionStart', { source: 'compact' });
    expect((await prompt('explain a.txt')).context).toBe(context);
  });

  test('[CTX6b] what went along counts as seen once another event shows that it arrived', async () => {
    must(await wanted());
    await prompt('explain a.txt');
    expect(must(await client().listStale({ query: { session: 's' } })).files).toEqual([]);
    const edit = {
      tool_use_id: 'e',
      tool_name: 'Edit',
      tool_input: { file_path: 'a.txt', old_string: 'one', new_string: '1' },
    };
    expect(await claude('PreToolUse', edit)).toEqual({});
    expect(must(await client().listStale({ query: { session: 's' } })).files).toMatchObject([
      { path: 'a.txt', state: 'fresh' },
    ]);
  });

  test('[CTX6b] a diff goes along once', async () => {
    must(await wanted());
    const run = { tool_use_id: 'r', tool_name: 'Bash', tool_input: { command: 'echo three >> a.txt' } };
    await claude('PreToolUse', run);
    put('a.txt', 'one\ntwo\nthree\n');
    await claude('PostToolUse', { ...run, tool_response: { stdout: '', stderr: '' } });
    expect((await prompt('what did you change?')).context).toContain('+three\n');
    await claude('Stop', {});
    expect((await prompt('what did you change?')).context).not.toContain('+three\n');
  });
});

describe('hooks at the daemon', () => {
  test('[CAP3i] equal calls without ids are told apart, also when they run side by side', async () => {
    const write = { tool_name: 'write_file', tool_input: { file_path: 'new.txt', content: 'x' } };
    await gemini('BeforeAgent', { prompt: 'go' });
    await gemini('BeforeTool', shell('date >> log.txt'));
    put('log.txt', '1\n');
    await gemini('AfterTool', { ...shell('date >> log.txt'), tool_response: { llmContent: '' } });
    await gemini('BeforeTool', shell('date >> log.txt'));
    await gemini('BeforeTool', write);
    put('log.txt', '1\n2\n');
    put('new.txt', 'x');
    await gemini('AfterTool', { ...write, tool_response: { llmContent: '' } });
    await gemini('AfterTool', { ...shell('date >> log.txt'), tool_response: { llmContent: '' } });
    const found = (await changes()).map(({ path, tool, callId }) => ({ path, tool, callId }));
    expect(found.map(({ path, tool }) => [path, tool])).toEqual(
      expect.arrayContaining([
        ['log.txt', 'run_shell_command'],
        ['new.txt', 'write_file'],
      ]),
    );
    expect(new Set(found.map(({ callId }) => callId)).size).toBe(3);
  });

  test('[AGT4b] a prompt that a proxy told of is not recorded again by the hook; the same words once more are', async () => {
    const note = (text: string) => client().addNote({ body: { kind: 'prompt', session: 's', text } });
    const prompts = async () =>
      must(await client().listOperations({ query: { since: 0, limit: 100 } })).operations.filter(
        ({ kind }) => kind === 'prompted',
      ).length;
    must(await client().startSession({ body: { id: 's', agent: 'gemini' } }));
    for (const count of [1, 2]) {
      must(await note('go on'));
      await gemini('BeforeAgent', { prompt: 'go on' });
      expect(await prompts()).toBe(count);
    }
    // Without the proxy.
    for (const count of [3, 4]) {
      await gemini('BeforeAgent', { prompt: 'go on' });
      expect(await prompts()).toBe(count);
    }
  });

  test('[CAP3g] a call that began before the daemon was started again is the one that ends', async () => {
    await gemini('BeforeTool', shell('echo x > made.txt'));
    put('made.txt', 'x\n');
    const takeHook = hookTaker(stage.workspaces, stage.transcripts);
    const payload = {
      session_id: 's',
      cwd: root,
      timestamp: 'later',
      ...shell('echo x > made.txt'),
      tool_response: {},
    };
    await takeHook({ agent: 'gemini', event: 'AfterTool', payload, directory: root, isHeard: () => true });
    expect(await changes()).toMatchObject([{ path: 'made.txt', callId: expect.stringMatching(/^[0-9a-f]{12}@T\d+$/) }]);
    expect(must(await client().status()).openCalls).toEqual([]);
  });

  test('[CAP3a] an end without a beginning stands for the whole call', async () => {
    await claude('SessionStart', { source: 'startup' });
    put('late.txt', 'late\n');
    const write = { tool_use_id: 'w', tool_name: 'Write', tool_input: { file_path: 'late.txt', content: 'late\n' } };
    await claude('PostToolUse', { ...write, tool_response: {} });
    expect(await changes()).toMatchObject([
      { path: 'late.txt', callId: 'w', tool: 'Write', session: 's', agent: 'claude' },
    ]);
  });

  test('[FRE5a] a notice comes until the next event shows that it arrived', async () => {
    await claude('PreToolUse', reading('1'));
    await claude('PostToolUse', { ...reading('1'), tool_response: {} });
    put('a.txt', 'changed\n');
    await client().listStale();
    const bash = (id: string) => ({ tool_use_id: id, tool_name: 'Bash', tool_input: { command: 'true' } });
    const payload = { session_id: 's', cwd: root, ...bash('2'), tool_response: {} };
    const takeHook = hookTaker(stage.workspaces, stage.transcripts);
    const take = (isHeard: boolean) =>
      takeHook({ agent: 'claude', event: 'PostToolUse', payload, directory: root, isHeard: () => isHeard });
    expect(must(await take(false))).toEqual({});
    expect(must(await take(true)).context).toContain('a.txt has changed since you last saw it.');
    expect(must(await take(true))).toEqual({});
  });

  test('[CAP3h] a denial that nobody heard denied nothing: what the call did is its own', async () => {
    const takeHook = hookTaker(stage.workspaces, stage.transcripts);
    const edit = {
      tool_use_id: 'e',
      tool_name: 'Edit',
      tool_input: { file_path: 'a.txt', old_string: 'one', new_string: 'uno' },
    };
    const payload = { session_id: 's', cwd: root, ...edit };
    const take = (event: string, heard: boolean) =>
      takeHook({
        agent: 'claude',
        event,
        payload: { ...payload, tool_response: {} },
        directory: root,
        isHeard: () => heard,
      });
    must(await take('PreToolUse', false));
    put('a.txt', 'uno\ntwo\n');
    must(await take('PostToolUse', true));
    expect(await changes()).toMatchObject([{ path: 'a.txt', callId: 'e', session: 's' }]);
  });

  test('[FRE4e] what an agent cannot hear before a call comes with its result', async () => {
    await gemini('BeforeTool', { tool_name: 'read_file', tool_input: { file_path: 'a.txt' } });
    await gemini('AfterTool', {
      tool_name: 'read_file',
      tool_input: { file_path: 'a.txt' },
      tool_response: { llmContent: '' },
    });
    put('a.txt', 'changed\ntwo\n');
    expect(await gemini('BeforeTool', shell('echo x >> a.txt'))).toEqual({});
    put('a.txt', 'changed\ntwo\nx\n');
    const { context } = await gemini('AfterTool', { ...shell('echo x >> a.txt'), tool_response: { llmContent: '' } });
    expect(context).toContain('-one');
    expect(context).toContain('+changed');
  });

  test('[AGT1b] a session stays in the workspace that it began in, wherever its commands run', async () => {
    const other = stage.makeRoot('other');
    await claude('SessionStart', { source: 'startup' });
    const bash = { session_id: 's', cwd: other, tool_use_id: 'b', tool_name: 'Bash', tool_input: { command: 'true' } };
    await hook('claude', 'PreToolUse', bash, other);
    expect(must(await client().status()).openCalls).toMatchObject([{ callId: 'b' }]);
    expect(must(await client().listWorkspaces()).workspaces.map(({ root: known }) => known)).toEqual([root]);
  });

  test('[AGT3a] where there is no workspace there is nothing to say', async () => {
    const home = stage.folder;
    const payload = { session_id: 's', tool_use_id: '1', tool_name: 'Bash', tool_input: { command: 'ls' } };
    expect(await hook('claude', 'PreToolUse', payload, home)).toEqual({});
    expect(await hook('claude', 'PreToolUse', payload, join(home, 'missing'))).toEqual({});
    expect(existsSync(join(home, 'missing'))).toBe(false);
  });

  test('[SEC4h] an agent that is not known is refused, an event that is not is nothing', async () => {
    const asked = await client().takeHook({
      params: { agent: '../x', event: 'y' },
      body: { directory: root, payload: {} },
    });
    expect(asked.ok).toBe(false);
    expect(await claude('Nonsense', {})).toEqual({});
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
  });

  test('[SEC4g] what a hook says has no terminal escapes of a file in it', async () => {
    const name = 'a\u001b]0;owned\u0007\u009b2J\u202e.txt';
    put(name, 'one\n');
    const input = { file_path: join(root, name), content: 'two\n' };
    const { deny } = await claude('PreToolUse', { tool_use_id: 't', tool_name: 'Write', tool_input: input });
    expect(deny).toContain('has not been read');
    for (const character of ['\u001b', '\u0007', '\u009b', '\u202e']) expect(deny).not.toContain(character);
  });
});
