import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { catalogue } from '../../apps/pal/src/cli/catalogue.js';
import { SCHEMAS } from '../../apps/pal/src/cli/schemas.js';
import { User } from './pal.fixture.js';

const user = new User();
afterAll(() => user.leave());

test('[INT5b] every schema can be printed', async () => {
  const { names } = await user.workspace().json<{ names: string[] }>('schema');
  expect(names).toEqual(Object.keys(SCHEMAS));
  const workspace = user.workspace();
  const settings = await workspace.json('schema', 'settings');
  expect(settings).toHaveProperty(
    ['$defs', 'SettingsFile', 'properties', 'guard.stale'],
    expect.objectContaining({ enum: ['deny', 'warn', 'off'] }),
  );
  for (const unknown of ['nonsense', 'constructor', '__proto__'])
    expect((await workspace.pal('schema', unknown)).exit).toBe(2);
});

test('[INT5b] [INT2d] a time or a size fits as a number and as it is written', () => {
  const fits = (settings: object) => SCHEMAS.settings!.safeParse(settings).success;
  const { properties } = z.toJSONSchema(SCHEMAS.settings!).$defs!.SettingsFile as unknown as {
    properties: Record<string, { anyOf: readonly [{ type: string }, { type: string; pattern: string }] }>;
  };
  const [number, written] = properties['checkpoints.storeBytes']!.anyOf;
  expect([number.type, written.type]).toEqual(['integer', 'string']);
  expect(['10GB', '1.5 TB', '10'].filter((text) => !new RegExp(written.pattern).test(text))).toEqual([]);
  expect(fits({ 'checkpoints.keptAgeMs': '30d', 'checkpoints.storeBytes': 1024, stockWaitMs: '90s' })).toBe(true);
  for (const soon of ['soon', '30 days', '-1d', '30GB']) expect(fits({ 'checkpoints.keptAgeMs': soon })).toBe(false);
  expect(fits({ 'checkpoints.keptCount': '30d' })).toBe(false);
});

/** They answer in the format of others or of another program, stream, or only print a text. */
const WITHOUT = [
  ...[
    'acp',
    'commit-message',
    'complete',
    'completion',
    'demo',
    'hook',
    'init',
    'mcp',
    'review',
    'schema',
    'serve',
    'uninstall',
  ],
  'session export',
];

test('[INT5b] no command that answers in a form of its own is without one', () => {
  const names = catalogue().map(({ words }) => words.join(' '));
  expect(names.filter((name) => SCHEMAS[name] === undefined).sort()).toEqual(WITHOUT.sort());
});

test('[INT5b] what commands answer fits', async () => {
  const workspace = user.workspace();
  await workspace.call('S', 'c1', 'Write', { file_path: 'n', content: 'n' }, () => workspace.write('n', 'n'));
  const asked = [
    ['status'],
    ['workspaces'],
    ['changes'],
    ['show'],
    ['stale'],
    ['ui'],
    ['comment', 'n', 'why?'],
    ['opened'],
    ['open', 'n'],
    ['context', '--prompt', 'explain n'],
    ['patches', 'list'],
    ['patches', 'show', '1'],
    ['patches', 'clear'],
    ['blame', 'n'],
    ['log'],
    ['session', 'list'],
    ['session', 'show', 'S'],
    ['session', 'search', 'n'],
    ['session', 'messages', 'S'],
    ['session', 'history', 'S'],
    ['checkpoint', 'save'],
    ['checkpoint', 'list'],
    ['diff'],
    ['accept', '--all'],
    ['undo'],
    ['redo'],
    ['conflicts'],
    ['gc', '--dry-run'],
    ['doctor'],
    ['stats'],
  ];
  for (const words of asked) {
    const answer = await workspace.json(...words);
    const schema = SCHEMAS[words.slice(0, ['session', 'checkpoint', 'patches'].includes(words[0]!) ? 2 : 1).join(' ')]!;
    expect(schema.safeParse(answer), words.join(' ')).toMatchObject({ success: true });
  }
  const failure = await workspace.pal('show', 'c999.1', '--json');
  expect(SCHEMAS.error!.safeParse(JSON.parse(failure.stdout)).success).toBe(true);
});

test('[INT5a] the man page holds every command', async () => {
  const page = readFileSync(fileURLToPath(new URL('../../apps/pal/bundle/pal.1', import.meta.url)), 'utf8');
  const index = fileURLToPath(new URL('../../apps/pal/bundle/help-index.json', import.meta.url));
  for (const { name } of JSON.parse(readFileSync(index, 'utf8')) as { name: string }[])
    expect(page).toMatch(new RegExp(`^\\.SS pal ${name.replaceAll('-', '\\\\-')}\\b`, 'm'));
  expect(page).not.toMatch(/^\.(?!TH|SH|SS|B|nf|fi)/m);
});
