import { encodeUtf8 } from '@palimpsest/core';
import { describe, expect, test } from 'vitest';
import { refusal, value } from '../checkpoint/checkpoint.fixture.js';
import { missingIn } from '../stories/nothing-missing.fixture.js';
import { type Stage, stage } from '../stories/stage.fixture.js';
import { FOLDERS, folder } from './task-folder.fixture.js';

const exported = async (at: Stage, session: string, dialect: 'roo' | 'cline') =>
  Object.fromEntries(
    value(await at.workspace.exportTask(session, dialect)).files.map(({ name, bytes }) => [
      name,
      Buffer.from(bytes).toString('utf8'),
    ]),
  );
const modelOf = (text = '[]') => JSON.parse(text) as { role: string; content: unknown }[];

describe('task folders', () => {
  test.each(Object.entries(FOLDERS))(
    '[CON2e] %s come out byte for byte, after a restart too',
    async (_, { dialect, files }) => {
      const at = await stage({ files: { 'src/login.ts': 'x' } });
      const taken = value(await at.workspace.importTask('t', folder(files)));
      expect(taken).toMatchObject({ dialect, damaged: [] });
      expect(taken.messages.model + taken.messages.human).toBeGreaterThan(3);
      await at.reopen();
      expect(await exported(at, 't', dialect)).toMatchObject(files);
      expect(missingIn(at.data)).toEqual([]);
    },
  );

  test('[CON2f] both histories are linked, by index and by time, and calls and the title are known', async () => {
    const at = await stage({ kind: 'plain' });
    value(await at.workspace.importTask('roo', folder(FOLDERS['Roo, all files']!.files)));
    value(await at.workspace.importTask('cline', folder(FOLDERS.Cline!.files)));
    const beside = async (session: string) => {
      const all = value(await at.workspace.conversations.messages(session));
      const model = all.filter(({ history }) => history === 'model').map(({ seq }) => seq);
      return all.filter(({ history }) => history === 'human').map((one) => model.indexOf(one.beside as never));
    };
    expect(await beside('roo')).toEqual([0, 0, 1, 4]);
    expect(await beside('cline')).toEqual([-1, 1]);
    expect(await at.workspace.conversations.messagesOf('roo', 'toolu_01')).toHaveLength(2);
    expect(at.workspace.session('roo')).toMatchObject({ title: 'fix the login', agent: 'roo', state: 'ended' });
    expect(at.workspace.session('cline')).toMatchObject({ agent: 'cline' });
    expect(value(await at.workspace.conversations.search('login', { session: 'roo' })).length).toBeGreaterThan(1);
  });

  test.each([
    [
      'Roo’s, which was the model’s',
      JSON.stringify([{ role: 'user', content: 'hi' }]),
      'api_conversation_history.json',
    ],
    ['Cline’s, which was the human’s', JSON.stringify([{ ts: 1, type: 'say', say: 'text' }]), 'ui_messages.json'],
  ])('[CON2g] the legacy file, %s, comes out under the new name, and may go then', async (_, text, name) => {
    const at = await stage({ kind: 'plain' });
    value(await at.workspace.importTask('t', folder({ 'claude_messages.json': text })));
    const out = value(await at.workspace.exportTask('t', 'roo'));
    expect(out.legacy).toEqual(encodeUtf8(text));
    const files = await exported(at, 't', 'roo');
    expect(files[name]).toBe(text);
    expect(files['claude_messages.json']).toBeUndefined();
  });

  test.each<[string, string | Uint8Array, string]>([
    ['cut off', '[{"role":"user","content":"hi"},{"role":"assi', 'not JSON'],
    ['of no bytes', '', 'empty'],
    ['an empty list', '[]', 'empty'],
    ['another list', '[1,2]', 'not a list of messages'],
    ['no list', '{"role":"user"}', 'not a list of messages'],
    ['not UTF-8', Uint8Array.from([0x5b, 0xff, 0xfe, 0x5d]), 'not JSON'],
  ])('[CON2h] a file that is %s is told, kept aside, and never becomes an empty list', async (_, damaged, why) => {
    const at = await stage({ kind: 'plain' });
    const { files } = FOLDERS['Roo, all files']!;
    const broken = { ...files, 'api_conversation_history.json': damaged };
    const taken = value(await at.workspace.importTask('t', folder(broken)));
    expect(taken).toMatchObject({
      messages: { model: 0, human: 4 },
      damaged: [{ name: 'api_conversation_history.json', why }],
    });
    const out = value(await at.workspace.exportTask('t', 'roo')).files;
    expect(out.find(({ name }) => name === 'api_conversation_history.json')).toBeUndefined();
    const aside = out.find(({ name }) => name === 'api_conversation_history.json.damaged');
    expect(Buffer.from(aside!.bytes)).toEqual(Buffer.from(typeof damaged === 'string' ? encodeUtf8(damaged) : damaged));
    expect(out.find(({ name }) => name === 'ui_messages.json')).toBeDefined();
    // A damaged new file does not hide the old one.
    const older = { ...broken, 'claude_messages.json': files['api_conversation_history.json']! };
    expect(value(await at.workspace.importTask('u', folder(older)))).toMatchObject({ messages: { model: 5 } });
  });

  test.each(['../evil.json', 'a/b.json', 'a\\\\b', '..', '', 'nul\\0.json'])(
    '[SEC4c] a file with the name %j is not taken over, because it would be written elsewhere',
    async (name) => {
      const at = await stage({ kind: 'plain' });
      const files = { ...FOLDERS.Cline!.files, [name]: '{}' };
      expect(refusal(await at.workspace.importTask('t', folder(files)))).toMatchObject({ code: 'bad-input' });
    },
  );

  test('[CON2i] taken over again, only what is new is added; what differs is another session’s', async () => {
    const at = await stage({ kind: 'plain' });
    const { files } = FOLDERS.Cline!;
    value(await at.workspace.importTask('t', folder(files)));
    expect(value(await at.workspace.importTask('t', folder(files)))).toMatchObject({
      messages: { model: 0, human: 0 },
      known: 4,
    });
    const grown = modelOf(files['api_conversation_history.json']);
    grown.push({ role: 'user', content: 'more' });
    const longer = { ...files, 'api_conversation_history.json': JSON.stringify(grown) };
    expect(value(await at.workspace.importTask('t', folder(longer)))).toMatchObject({
      messages: { model: 1, human: 0 },
    });
    expect(await exported(at, 't', 'cline')).toMatchObject(longer);
    const other = { 'api_conversation_history.json': JSON.stringify([{ role: 'user', content: 'else' }]) };
    expect(refusal(await at.workspace.importTask('t', folder(other)))).toMatchObject({ code: 'bad-input' });
  });

  test('[CON2j] what comes after is written in the manner of the file, and our own sessions go out too', async () => {
    const at = await stage({ kind: 'plain' });
    const { files } = FOLDERS['written by hand, with other numbers and spaces']!;
    value(await at.workspace.importTask('t', folder(files)));
    const more = { role: 'user', blocks: [{ type: 'text', text: 'and now?' }] };
    for (const session of ['t', 'own'])
      value(
        await at.workspace.conversations.add(session, [{ history: 'model', form: 'blocks', value: more, saidAt: 7 }]),
      );
    const said = JSON.stringify({ role: 'user', content: [{ type: 'text', text: 'and now?' }], ts: 7 });
    const { 'api_conversation_history.json': text } = await exported(at, 't', 'roo');
    expect(text).toBe(files['api_conversation_history.json']!.replace('\r\n]\r\n', `\r\n\t,  ${said}\r\n]\r\n`));
    const own = await exported(at, 'own', 'roo');
    expect(own['api_conversation_history.json']).toBe(`[${said}]`);
    expect(JSON.parse(own['ui_messages.json']!)).toEqual([{ ts: 7, type: 'say', say: 'text', text: 'and now?' }]);
    expect(JSON.parse(own['history_item.json']!)).toMatchObject({ id: 'own', task: 'and now?', workspace: at.root });
  });
});
