import { describe, expect, test } from 'vitest';
import { refusal, value } from '../checkpoint/checkpoint.fixture.js';
import { type Stage, stage } from '../stories/stage.fixture.js';
import type { NewMessage } from './message.js';
import { type SendOutcome, sendWithinWindow } from './within-window.js';

type Content = string | readonly object[];
const message = (role: string, content: Content): NewMessage => ({
  history: 'model',
  form: 'anthropic',
  value: { role, content },
});
const turn = (n: number, length: number): readonly NewMessage[] => [
  message('assistant', [{ type: 'tool_use', id: `c${n}`, name: 'bash', input: { command: `step ${n}` } }]),
  message('user', [{ type: 'tool_result', tool_use_id: `c${n}`, content: `${n} `.repeat(length) }]),
];

async function conversation(turns: number, length = 400): Promise<Stage> {
  const at = await stage({ kind: 'plain' });
  const all = [message('user', 'the task'), ...Array.from({ length: turns }, (_, n) => turn(n, length)).flat()];
  value(await at.workspace.conversations.add('s', [...all, message('user', 'go on')]));
  return at;
}

const texts = async (at: Stage) =>
  JSON.stringify(value(await at.workspace.conversations.history('s')).messages.map(({ message: one }) => one));

describe('what the model gets', () => {
  test('[CON3h] is reduced and brought back, also after a restart, and no message changes', async () => {
    const at = await conversation(6);
    const before = value(await at.workspace.conversations.messages('s'));
    const whole = value(await at.workspace.conversations.history('s'));
    const budget = Math.floor(whole.tokens / 2);
    const reduced = value(await at.workspace.conversations.reduce('s', budget));
    expect(reduced).toMatchObject({ fits: true, before: whole.tokens });
    await at.reopen();
    expect(value(await at.workspace.conversations.history('s')).tokens).toBe(reduced.after);
    const once = at.workspace.seq;
    value(await at.workspace.conversations.reduce('s', Math.floor(budget / 2)));
    expect(value(await at.workspace.conversations.expand('s', once + 1)).tokens).toBe(reduced.after);
    expect(value(await at.workspace.conversations.expand('s')).tokens).toBe(whole.tokens);
    expect(refusal(await at.workspace.conversations.expand('s'))).toMatchObject({ code: 'nothing-to-do' });
    expect(value(await at.workspace.conversations.messages('s'))).toEqual(before);
  });

  test('[CON3h] says cannot-reduce where nothing can go', async () => {
    const at = await conversation(0);
    expect(refusal(await at.workspace.conversations.reduce('s', 1))).toMatchObject({ code: 'cannot-reduce' });
    expect(value(await at.workspace.conversations.reduce('s', 10_000))).toMatchObject({ fits: true });
  });

  test('[CON4e] too long for the model, it is condensed since the last summary and sent again', async () => {
    const at = await conversation(8);
    const { conversations } = at.workspace;
    const window = Math.floor(value(await conversations.history('s')).tokens / 3);
    const asked: string[] = [];
    const summarise = async (messages: readonly unknown[]) => {
      asked.push(JSON.stringify(messages));
      return `summary ${asked.length}`;
    };
    const send = async ({ tokens }: { readonly tokens: number }): Promise<SendOutcome<number>> =>
      tokens <= window
        ? { ok: true, value: tokens }
        : {
            ok: false,
            status: 400,
            body: { error: { message: `prompt is too long: ${tokens} tokens > ${window} maximum` } },
          };
    const parts = {
      history: async () => value(await conversations.history('s')),
      condense: () => conversations.condense('s', summarise),
    };
    const sent = await sendWithinWindow(send, parts);
    expect(sent).toMatchObject({ ok: true, window: { window }, condensed: [{ by: 'summary' }] });
    expect(await texts(at)).toMatch(/the task.*summary 1.*go on/);
    value(await conversations.add('s', [...turn(20, 2000), message('user', 'and now?')]));
    expect(await sendWithinWindow(send, parts)).toMatchObject({ ok: true });
    expect(asked[1]).toContain('summary 1');
    expect(asked[1]).not.toContain('step 0');
    expect(await texts(at)).toMatch(/the task.*summary \d.*and now\?/);
  });

  test('[CON4f] without a summary the oldest quarter is left out, and any other error is the caller’s', async () => {
    const at = await conversation(8);
    const { conversations } = at.workspace;
    const failing = async () => {
      throw new Error('no model');
    };
    const before = value(await conversations.history('s')).messages.length;
    expect(value(await conversations.condense('s', failing))).toMatchObject({ by: 'force' });
    expect(value(await conversations.history('s')).messages.length).toBeLessThan(before);
    expect(value(await conversations.condense('s', async () => '  '))).toMatchObject({ by: 'force' });
    const parts = {
      history: async () => value(await conversations.history('s')),
      condense: () => conversations.condense('s', failing),
    };
    const seq = at.workspace.seq;
    const denied = await sendWithinWindow(async () => ({ ok: false, status: 401, body: 'no' }) as const, parts);
    expect(denied).toMatchObject({ ok: false, status: 401, condensed: [] });
    expect(at.workspace.seq).toBe(seq);
  });

  test('[CON6b] tokens are measured by what the provider counted', async () => {
    const at = await conversation(4);
    const before = value(await at.workspace.conversations.history('s'));
    const plain = before.tokens / before.scale.factor;
    const usage = { input: Math.round(plain * 2), output: 10 };
    value(await at.workspace.conversations.add('s', [{ ...message('assistant', 'done'), usage }]));
    const after = value(await at.workspace.conversations.history('s'));
    expect(after.scale.measured).toBe(1);
    expect(after.scale.factor).toBeCloseTo(2.1, 1);
  });
});
