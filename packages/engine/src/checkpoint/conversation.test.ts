import { asSessionId, failed, ok } from '@palimpsest/core';
import { expect, test } from 'vitest';
import { stage } from '../stories/stage.fixture.js';
import { refusal, save, value } from './checkpoint.fixture.js';
import type { ConversationMoment, ConversationRestore } from './conversation-restore.js';

/** Keeps messages by the seq they came at, and cuts them. */
class FakeConversation implements ConversationRestore {
  messages: number[] = [];
  readonly cutAt: number[] = [];

  async plan({ asOf, session }: ConversationMoment) {
    if (session === null) return failed({ code: 'nothing-to-do', why: 'no session' } as const);
    return ok({ session, messages: this.messages.filter((seq) => seq > asOf).length });
  }

  dropped = 0;

  async fork(moment: ConversationMoment) {
    const plan = await this.plan(moment);
    const drop = async () => {
      this.dropped += 1;
    };
    return plan.ok ? ok({ drop }) : plan;
  }

  async apply(moment: ConversationMoment) {
    const plan = await this.plan(moment);
    this.cutAt.push(moment.asOf);
    this.messages = this.messages.filter((seq) => seq <= moment.asOf);
    return plan;
  }
}

test('[CHK4a] files, conversation, or both go back to the moment of the checkpoint', async () => {
  const conversation = new FakeConversation();
  const at = await stage({ files: { 'a.txt': '1' }, open: { conversation } });
  value(await at.workspace.startSession({ id: 's' }));
  value(await at.workspace.note({ kind: 'prompt', session: 's', text: 'go' }));
  const moment = (await at.workspace.checkpoints()).find(({ reason }) => reason === 'prompt')!;
  conversation.messages = [moment.asOf, moment.asOf + 1, moment.asOf + 2];
  await at.agent('s').writeFile('b.txt', 'b');

  const plan = value(await at.workspace.planRestore(moment.id, { mode: 'conversation' }));
  expect(plan).toMatchObject({ writes: [], deletes: [], conversation: { session: asSessionId('s'), messages: 2 } });
  value(await at.workspace.restore(moment.id, { mode: 'files' }));
  expect([at.read('b.txt'), conversation.messages.length]).toEqual([null, 3]);
  await at.agent('s').writeFile('b.txt', 'b');
  value(await at.workspace.restore(moment.id, { mode: 'conversation', token: plan.token }));
  expect([at.read('b.txt'), conversation.messages.length]).toEqual(['b', 1]);
  conversation.messages.push(10_000);
  value(await at.workspace.restore(moment.id, { mode: 'both' }));
  expect([at.read('b.txt'), conversation.messages.length]).toEqual([null, 1]);
  const modes = at.workspace.operations(0, 1000).flatMap((one) => (one.kind === 'restored' ? [one.mode] : []));
  expect(modes).toEqual(['files', 'conversation', 'both']);
});

test('[CHK4c] [CHK4d] our own histories go back together, the branch that is left can be read, and undo brings it back', async () => {
  const at = await stage({ files: { 'a.txt': '1' } });
  const { conversations } = at.workspace;
  const say = async (text: string, history: 'model' | 'human' = 'model') =>
    value(await conversations.add('s', [{ history, form: 'anthropic', value: { role: 'user', content: text } }]));
  const said = async (query = {}) =>
    value(await conversations.messages('s', query)).map(({ json }) => JSON.parse(json!).content as string);
  value(await at.workspace.startSession({ id: 's' }));
  await say('first');
  await say('first', 'human');
  value(await at.workspace.note({ kind: 'prompt', session: 's', text: 'go' }));
  const moment = (await at.workspace.checkpoints()).find(({ reason }) => reason === 'prompt')!;
  await say('second');
  await say('second', 'human');
  await at.agent('s').writeFile('b.txt', 'b');

  const plan = value(await at.workspace.planRestore(moment.id, { mode: 'both' }));
  expect(plan).toMatchObject({ deletes: ['b.txt'], conversation: { session: 's', messages: 2 } });
  value(await at.workspace.restore(moment.id, { mode: 'both', token: plan.token }));
  expect([await said(), at.read('b.txt')]).toEqual([['first', 'first'], null]);
  await say('third');
  const [left] = value(await conversations.abandoned('s'));
  expect(left).toMatchObject({ branch: 0, messages: 2 });
  expect(await said({ branch: 0, history: 'model' })).toEqual(['first', 'second']);
  expect(value(await conversations.search('second'))).toMatchObject([{ abandoned: true }]);

  value(await at.workspace.undo());
  expect([await said(), at.read('b.txt')]).toEqual([['first', 'first', 'second', 'second'], 'b']);
  expect(value(await conversations.abandoned('s'))).toMatchObject([{ branch: 1, messages: 1 }]);
  await at.reopen();
  value(await at.workspace.redo());
  expect([
    value(await at.workspace.conversations.messages('s', { history: 'model' })).length,
    at.read('b.txt'),
  ]).toEqual([2, null]);
});

test('[CHK4e] a plan of the conversation is refused once more was said', async () => {
  const at = await stage({ files: { 'a.txt': '1' } });
  const say = async () =>
    value(await at.workspace.conversations.add('s', [{ history: 'model', form: 'blocks', value: { role: 'user' } }]));
  await say();
  value(await at.workspace.note({ kind: 'prompt', session: 's', text: 'go' }));
  const moment = (await at.workspace.checkpoints()).find(({ reason }) => reason === 'prompt')!;
  await say();
  const { token } = value(await at.workspace.planRestore(moment.id, { mode: 'conversation' }));
  await say();
  expect(refusal(await at.workspace.restore(moment.id, { mode: 'conversation', token }))).toMatchObject({
    code: 'moved',
  });
});

test('[CHK4b] without a conversation it is said, and no file is touched', async () => {
  const at = await stage({ files: { 'a.txt': '1' } });
  const saved = await save(at);
  at.write('a.txt', '2');
  for (const mode of ['conversation', 'both'] as const)
    expect(refusal(await at.workspace.restore(saved.id, { mode }))).toMatchObject({ code: 'nothing-to-do' });
  expect(at.read('a.txt')).toBe('2');
});

test('[TRA4a] the fork comes before the files, and is dropped when they cannot follow', async () => {
  const conversation = new FakeConversation();
  const at = await stage({ files: { 'a.txt': '1' }, open: { conversation } });
  value(await at.workspace.startSession({ id: 's' }));
  value(await at.workspace.note({ kind: 'prompt', session: 's', text: 'go' }));
  const moment = (await at.workspace.checkpoints()).find(({ reason }) => reason === 'prompt')!;
  await at.agent('s').writeFile('b.txt', '2');
  const fork = conversation.fork.bind(conversation);
  // Somebody saves in the very moment between the two.
  conversation.fork = async (asked) => {
    at.write('b.txt', 'mine');
    return fork(asked);
  };
  expect(refusal(await at.workspace.restore(moment.id, { mode: 'both' }))).toMatchObject({ code: 'moved' });
  expect([at.read('b.txt'), conversation.dropped, conversation.cutAt]).toEqual(['mine', 1, []]);
});
