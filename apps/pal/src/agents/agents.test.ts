import { LAST_LINE } from '@palimpsest/core';
import { describe, expect, test } from 'vitest';
import { AGENT_NAMES, AGENTS, type AgentName } from './agents.js';
import type { HookEvent } from './hook-event.js';

type Payloads = Readonly<Record<string, object>>;

/** Captured from the real programs, a file each. */
async function payloadsOf(agent: AgentName): Promise<Payloads> {
  const fixture = (await import(`./${agent}.fixture.ts`)) as Readonly<Record<string, Payloads>>;
  return Object.values(fixture)[0]!;
}

const PAYLOADS = Object.fromEntries(
  await Promise.all(AGENT_NAMES.map(async (agent) => [agent, await payloadsOf(agent)] as const)),
) as Readonly<Record<AgentName, Payloads>>;

/** `Event-anything` names a payload of `Event`; opencode's events are all of one hook. */
function read(agent: AgentName, name: string): HookEvent | null {
  const payload = PAYLOADS[agent][name];
  if (payload === undefined) throw new Error(`no payload ${name}`);
  return AGENTS[agent].read(name.replace(/-.*/, ''), payload);
}

/** An event on one line: its kind, then what it says besides where it is. */
function line(agent: AgentName, name: string): string {
  const event = read(agent, name);
  if (event === null) return 'nothing';
  const { kind, cwd, session: _, ...rest } = event as HookEvent & Readonly<Record<string, unknown>>;
  const facts = rest as { tool?: string; ok?: boolean; output?: string; text?: string; agentId?: string };
  const { tool, ok, output, text, agentId } = facts;
  const said = [tool, ok === undefined ? undefined : ok ? 'ok' : 'failed', agentId && 'subagent'].filter(Boolean);
  const quoted = [text, output].filter((each) => each !== undefined).map((each) => JSON.stringify(each.slice(0, 24)));
  return [kind, cwd, ...said, ...quoted].join(' ');
}

describe('what agents say', () => {
  test.each([
    ['qwen', 'SessionStart-startup', { kind: 'session-start', model: 'scripted' }],
    ['opencode', 'chat.message', { kind: 'prompt', model: 'fake/fake-model' }],
  ] as const)('[ATT1] %s: %s names the model', (agent, name, expected) =>
    expect(read(agent, name)).toMatchObject(expected),
  );

  test.each([
    ['SessionStart-startup', 'session-start /repo'],
    ['SessionStart-resume', 'session-start /repo'],
    ['SessionStart-compact', 'cut /repo'],
    ['UserPromptSubmit', 'prompt /repo "Fix the add function."'],
    ['PreToolUse-Read', 'tool-begin /repo Read'],
    ['PreToolUse-Edit', 'tool-begin /repo Edit'],
    ['PreToolUse-Bash', 'tool-begin /repo Bash'],
    ['PostToolUse-Read', 'tool-end /repo Read ok'],
    ['PostToolUse-Edit', 'tool-end /repo Edit ok'],
    ['PostToolUse-Bash', 'tool-end /repo Bash ok "hello world\\nsecond line\\n"'],
    ['PostToolUse-mcp__probe__ws_checkpoint', 'tool-end /repo mcp__probe__ws_checkpoint ok "probe ws_checkpoint ok p"'],
    ['PostToolUseFailure-Bash', 'tool-end /repo Bash failed "Exit code 3\\nout\\nerr"'],
    ['PreToolUse-Read-subagent', 'tool-begin /repo Read subagent'],
    ['PostToolUse-Read-subagent', 'tool-end /repo Read ok subagent'],
    ['SubagentStop', 'pause /repo'],
    ['PreCompact', 'nothing'],
    ['Stop', 'pause /repo'],
    ['SessionEnd', 'session-end /repo'],
  ])('[AGT1b] Claude Code: %s is %s', (name, expected) => expect(line('claude', name)).toBe(expected));

  test.each([
    ['SessionStart-startup', 'session-start /repo'],
    ['SessionStart-resume', 'session-start /repo'],
    ['SessionStart-compact', 'cut /repo'],
    ['UserPromptSubmit', 'prompt /repo "Fix the add function."'],
    ['PreToolUse-Bash', 'tool-begin /repo Bash'],
    ['PreToolUse-apply_patch', 'tool-begin /repo apply_patch'],
    ['PostToolUse-Bash', 'tool-end /repo Bash "export function add(a, b"'],
    ['PostToolUse-apply_patch', 'tool-end /repo apply_patch "Exit code: 0\\nWall time: "'],
    ['PostToolUse-mcp__probe__ws_checkpoint', 'tool-end /repo mcp__probe__ws_checkpoint "probe ws_checkpoint ok p"'],
    ['PreCompact-auto', 'nothing'],
    ['Stop', 'pause /repo'],
    ['SessionEnd', 'session-end /repo'],
  ])('[AGT1b] Codex: %s is %s', (name, expected) => expect(line('codex', name)).toBe(expected));

  test.each([
    ['SessionStart-startup', 'session-start /repo'],
    ['BeforeAgent', 'prompt /repo "Fix the add function."'],
    ['BeforeTool-read_file', 'tool-begin /repo read_file'],
    ['BeforeTool-replace', 'tool-begin /repo replace'],
    ['AfterTool-read_file', 'tool-end /repo read_file ok "export function add(a, b"'],
    ['AfterTool-run_shell_command', 'tool-end /repo run_shell_command ok "hello world\\nsecond line\\n"'],
    ['AfterAgent', 'pause /repo'],
    ['SessionEnd', 'session-end /repo'],
  ])('[AGT1b] Gemini CLI: %s is %s', (name, expected) => expect(line('gemini', name)).toBe(expected));

  test.each([
    ['event-session.created', 'session-start /repo'],
    ['chat.message', 'prompt /repo "Fix the add function."'],
    ['tool.execute.before-edit', 'tool-begin /repo edit'],
    ['tool.execute.before-apply_patch', 'tool-begin /repo apply_patch'],
    ['tool.execute.after-read', 'tool-end /repo read ok "<path>/repo/src/app.js</"'],
    ['tool.execute.after-bash', 'tool-end /repo bash ok "hello world\\nsecond line\\n"'],
    ['tool.execute.after-probe_ws_checkpoint', 'tool-end /repo probe_ws_checkpoint ok "probe ws_checkpoint ok p"'],
    ['event-session.idle', 'pause /repo'],
    ['dispose', 'session-end /repo'],
    ['event-file.edited', 'nothing'],
  ])('[AGT1b] opencode: %s is %s', (name, expected) => expect(line('opencode', name)).toBe(expected));

  test.each([
    ['beforeRun', 'prompt /repo "Fix the add function."'],
    ['beforeTool-editor', 'tool-begin /repo editor'],
    ['afterTool-editor', 'tool-end /repo editor failed'],
    ['afterTool-read_files', 'tool-end /repo read_files ok "1 | export function add("'],
    ['afterTool-run_commands', 'tool-end /repo run_commands ok "hello world\\nsecond line\\n"'],
    ['afterRun', 'pause /repo'],
    ['shutdown', 'session-end /repo'],
  ])('[AGT1b] Cline: %s is %s', (name, expected) => expect(line('cline', name)).toBe(expected));

  test.each([
    ['SessionStart-startup', 'session-start /repo'],
    ['SessionStart-resume', 'session-start /repo'],
    ['UserPromptSubmit', 'prompt /repo "Do it with @notes.txt"'],
    ['UserPromptSubmit-continued', 'nothing'],
    ['PreToolUse-edit', 'tool-begin /repo edit'],
    ['PostToolUse-read_file', 'tool-end /repo read_file ok "export function add(a, b"'],
    ['PostToolUse-edit', 'tool-end /repo edit ok "The file: /repo/src/app."'],
    ['PostToolUseFailure-run_shell_command', 'tool-end /repo run_shell_command failed "Command: echo hello; exi"'],
    ['PostToolUse-run_shell_command-background', 'tool-end /repo run_shell_command ok "Background shell bg_e762"'],
    ['Stop', 'pause /repo'],
  ])('[AGT1b] Qwen Code: %s is %s', (name, expected) => expect(line('qwen', name)).toBe(expected));

  test.each([
    ['"Fix the \\"add\\" function."', 'Fix the "add" function.'],
    ['"add"', '"add"'],
    ['"one" and "two"', '"one" and "two"'],
    ['say "it is"', 'say "it is"'],
  ])('[AGT1h] opencode: %s was written as %s', (text, written) => {
    const payload = { input: { sessionID: 's' }, output: { parts: [{ type: 'text', text }] } };
    expect(AGENTS.opencode.read('chat.message', payload)).toMatchObject({ kind: 'prompt', text: written });
  });

  test.each([
    ['<user_input mode="act">Fix <b>it</b>.\nNow.</user_input>', 'Fix <b>it</b>.\nNow.'],
    ['what does <user_input> mean?', 'what does <user_input> mean?'],
  ])('[AGT1h] Cline: %s was written as %s', (prompt, written) => {
    const payload = { snapshot: { conversationId: 's' }, prompt };
    expect(AGENTS.cline.read('beforeRun', payload)).toMatchObject({ kind: 'prompt', text: written });
  });

  test('[CAP3i] a begin and its end have the same call, also without an id', () => {
    const ids = (agent: AgentName, name: string) => (read(agent, name) as { callId?: unknown }).callId;
    expect(ids('claude', 'PreToolUse-Edit')).toBe(ids('claude', 'PostToolUse-Edit'));
    expect(ids('opencode', 'tool.execute.before-edit')).toBe(ids('opencode', 'tool.execute.after-edit'));
    expect(ids('gemini', 'BeforeTool-replace')).toMatchObject({
      alike: (ids('gemini', 'AfterTool-replace') as { alike: string }).alike,
      at: '2026-11-15T18:25:30.899Z',
    });
  });

  test('[FRE1e] a read that its tool cut short says which lines were shown', () => {
    const shown = (agent: AgentName, event: string, payload: unknown) =>
      (AGENTS[agent].read(event, payload) as { shown?: unknown }).shown;
    const claude = (file: object) =>
      shown('claude', 'PostToolUse', { ...PAYLOADS.claude['PostToolUse-Read'], tool_response: { type: 'text', file } });
    expect(claude({ startLine: 1, numLines: 2000, totalLines: 5001 })).toEqual({ from: 1, to: 2000 });
    expect(claude({ startLine: 4990, numLines: 12, totalLines: 5001 })).toEqual({ from: 4990, to: LAST_LINE });
    expect(claude({})).toBeUndefined();
    const opencode = (display: object) =>
      shown('opencode', 'tool.execute.after', {
        ...PAYLOADS.opencode['tool.execute.after-read'],
        output: { output: 'x', metadata: { display } },
      });
    expect(opencode({ lineStart: 11, lineEnd: 20, totalLines: 30 })).toEqual({ from: 11, to: 20 });
    expect(opencode({ lineStart: 11, lineEnd: 30, totalLines: 30 })).toEqual({ from: 11, to: LAST_LINE });
    const gemini = (tool_response: object) =>
      shown('gemini', 'AfterTool', { ...PAYLOADS.gemini['AfterTool-read_file'], tool_response });
    expect(gemini({ llmContent: 'x', returnDisplay: 'Read lines 1-2000 of 4000 from a.txt' })).toEqual({
      from: 1,
      to: 2000,
    });
    expect(gemini({ llmContent: 'x', returnDisplay: '' })).toBeUndefined();
    expect(shown('qwen', 'PostToolUse', PAYLOADS.qwen['PostToolUse-read_file-range'])).toEqual({ from: 2, to: 2 });
  });

  test('[CAP6b] a patch that Codex hands over through the shell is a patch', () => {
    const patch = '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch';
    const begin = (command: string) =>
      AGENTS.codex.read('PreToolUse', {
        session_id: 's',
        tool_use_id: 'c',
        tool_name: 'Bash',
        tool_input: { command },
      });
    for (const command of [`apply_patch <<'EOF'\n${patch}\nEOF\n`, `applypatch <<"END"\n${patch}\nEND`])
      expect(begin(command)).toMatchObject({ tool: 'apply_patch', input: { command: patch } });
    for (const command of [
      `apply_patch <<'EOF'\n${patch}\nEOF\nrm a`,
      `cd x && apply_patch <<'EOF'\n${patch}\nEOF`,
      'cat a',
    ])
      expect(begin(command)).toMatchObject({ tool: 'Bash', input: { command } });
  });

  test('[AGT1b] a tool of opencode that failed ends by the message that shows it', () => {
    const part = {
      type: 'tool',
      callID: 'c',
      tool: 'read',
      state: { status: 'error', input: { filePath: 'a' }, error: 'no' },
    };
    const event = { type: 'message.part.updated', properties: { sessionID: 's', part } };
    expect(AGENTS.opencode.read('event', { input: { event } })).toEqual({
      session: 's',
      kind: 'tool-end',
      callId: 'c',
      tool: 'read',
      input: { filePath: 'a' },
      ok: false,
      output: 'no',
    });
  });

  test('[SEC4h] whatever a payload is, reading it gives an event or nothing', () => {
    const events = ['PreToolUse', 'BeforeTool', 'tool.execute.before', 'beforeTool', 'event', 'nonsense', '__proto__'];
    const payloads = [
      null,
      7,
      'x',
      [],
      {},
      { session_id: 1 },
      { session_id: 's' },
      { input: { event: 'x' } },
      { snapshot: [] },
    ];
    for (const name of AGENT_NAMES)
      for (const event of events)
        for (const payload of payloads) expect(() => AGENTS[name].read(event, payload)).not.toThrow();
  });
});
