import { describe, expect, test } from 'vitest';
import { AGENT_NAMES, AGENTS } from './agents.js';
import { httpAnswer } from './answers.js';
import { CONTEXT_CHARS, contextText, pendingSummary } from './context.js';

describe('what agents hear', () => {
  test.each(['codex', 'qwen', 'opencode', 'cline'] as const)(
    '[AGT1c] %s: a denial is exit 2 with the reason on stderr alone',
    (agent) => {
      const denied = { exit: 2, stdout: '', stderr: 'stale\n' };
      expect(AGENTS[agent].answer('PreToolUse', { deny: 'stale', context: 'more' })).toEqual(denied);
    },
  );

  test.each([
    ['claude', 'PreToolUse', httpAnswer('PreToolUse', { deny: 'stale' })],
    ['gemini', 'BeforeTool', { decision: 'deny', reason: 'stale' }],
  ] as const)('[AGT1f] %s: a denial is JSON, which is not shown as a hook that failed', (agent, event, said) => {
    const { exit, stdout, stderr } = AGENTS[agent].answer(event, { deny: 'stale', context: 'more' });
    expect([exit, stderr, JSON.parse(stdout)]).toEqual([0, '', said]);
  });

  test('[AGT1d] a prompt that must not begin is kept back by exit 2', () => {
    expect(AGENTS.claude.answer('UserPromptSubmit', { deny: 'no' })).toEqual({ exit: 2, stdout: '', stderr: 'no\n' });
  });

  test.each(AGENT_NAMES)('[AGT3a] %s: nothing to say is silence', (agent) => {
    expect(AGENTS[agent].answer('PostToolUse', {})).toEqual({ exit: 0, stdout: '', stderr: '' });
  });

  test.each(['claude', 'codex', 'gemini'] as const)(
    '[AGT1c] %s: context has the keys that it knows and no others',
    (agent) => {
      const { stdout, exit } = AGENTS[agent].answer('PostToolUse', { context: 'c' });
      expect([exit, JSON.parse(stdout)]).toEqual([
        0,
        { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'c' } },
      ]);
    },
  );

  test.each([
    [{}, {}],
    [{ context: 'c' }, { hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'c' } }],
    [
      { deny: 'stale', context: 'c' },
      {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: 'stale',
        },
      },
    ],
  ])('[AGT1d] %j over HTTP is %j', (reply, body) => {
    expect(httpAnswer('PreToolUse', reply)).toEqual(body);
  });

  test('[FRE5c] context is within its budget, says each fact once, and counts what does not fit', () => {
    const facts = Array.from({ length: 300 }, (_, at) => `file-${at}.txt has changed since you last saw it.`);
    const files = facts.map((path) => ({ path, changes: 2, added: 1, removed: 1 }));
    const text = contextText([...facts, ...facts], pendingSummary(files))!;
    expect(text.length).toBeLessThanOrEqual(CONTEXT_CHARS);
    expect(text).toMatch(/\n- \d+ more notices did not fit here; `pal status` has them\.\n/);
    expect(text).toMatch(/, 290 more files\.$/);
  });

  test('[FRE5c] nothing to say is no context', () => {
    expect(contextText([], pendingSummary([]))).toBeNull();
  });

  test('[FRE5c] a summary alone', () => {
    const text = contextText([], pendingSummary([{ path: 'a.ts', changes: 1, added: 2, removed: 0 }]));
    expect(text).toMatch(/wait for review: a\.ts \(1 change, \+2 −0\)\.$/);
  });
});
