import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claudeDriver } from '../agents/claude.driver.fixture.js';
import { codexDriver } from '../agents/codex.driver.fixture.js';
import type { Driver } from '../agents/driver.fixture.js';
import { geminiDriver } from '../agents/gemini.driver.fixture.js';
import { programOf } from '../agents/programs.fixture.js';
import { Seat } from '../agents/seat.fixture.js';
import { PAL } from '../cli/pal.fixture.js';
import { NamespaceProxy } from './namespaces.fixture.js';

const SERVER = { command: process.execPath, args: [PAL, 'mcp'] } as const;

type Client = {
  readonly driver: Driver;
  /** What the client says it is. */
  readonly names: RegExp;
  readonly toolName: (tool: string) => string;
};

const claude: Client = {
  names: /^claude/,
  toolName: (tool) => `mcp__palimpsest__${tool}`,
  driver: {
    ...claudeDriver,
    words: (seat, prompt, options) => [
      ...claudeDriver.words(seat, prompt, options),
      '--mcp-config',
      JSON.stringify({ mcpServers: { palimpsest: { ...SERVER, env: seat.user.environment } } }),
      '--allowedTools',
      'mcp__palimpsest',
    ],
  },
};

const codex: Client = {
  names: /^codex/,
  toolName: (tool) => `mcp__palimpsest__${tool}`,
  driver: {
    ...codexDriver,
    prepare: async (seat) => {
      await codexDriver.prepare(seat);
      const proxy = await NamespaceProxy.before(seat.model.url);
      seat.onLeave(() => proxy.stop());
      const config = seat.readHome('.codex/config.toml').replaceAll(seat.model.url, proxy.url);
      const own = Object.entries(seat.user.environment).map(([name, value]) => `${name} = "${value}"`);
      const server = [
        '[mcp_servers.palimpsest]',
        `command = "${SERVER.command}"`,
        `args = ${JSON.stringify(SERVER.args)}`,
        '[mcp_servers.palimpsest.env]',
        ...own,
      ];
      seat.homeFile('.codex/config.toml', `${config}${server.join('\n')}\n`);
    },
  },
};

const gemini: Client = {
  names: /^gemini/,
  toolName: (tool) => `mcp_palimpsest_${tool}`,
  driver: {
    ...geminiDriver,
    prepare: async (seat) => {
      await geminiDriver.prepare(seat);
      const settings = JSON.parse(seat.readHome('.gemini/settings.json')) as object;
      const mcpServers = { palimpsest: { ...SERVER, env: seat.user.environment, trust: true } };
      seat.homeFile('.gemini/settings.json', JSON.stringify({ ...settings, mcpServers }));
    },
  },
};

const clients = [];
for (const client of [claude, codex, gemini]) {
  const program = await programOf(client.driver.agent);
  if ('missing' in program) process.stdout.write(`SKIPPED: ${program.missing}\n`);
  clients.push({ agent: client.driver.agent, client, program });
}

describe.each(clients)('$agent', ({ client, program }) => {
  describe.skipIf('missing' in program)('the real program', () => {
    let seat: Seat;
    beforeAll(async () => {
      seat = await Seat.take(client.driver, 'file' in program ? program.file : '');
    });
    afterAll(() => seat?.leave());

    const call = (tool: string, input: object) => ({ calls: [{ name: client.toolName(tool), input }] });
    const edit = (old_string: string, new_string: string) => ({ path: 'notes.txt', old_string, new_string });

    test('[AGT2] reads and edits through our tools; a stale edit is refused and the model is told why', async () => {
      const ran = await seat.run('go', [
        call('pal_read', { path: 'notes.txt' }),
        call('pal_edit', edit('two', '2')),
        { run: () => seat.workspace.put('notes.txt', 'one\n2\nTHREE\n'), ...call('pal_edit', edit('one', '1')) },
        { text: 'done' },
      ]);
      expect(ran.exit, ran.stderr).toBe(0);
      expect(seat.workspace.read('notes.txt'), ran.stdout).toBe('one\n2\nTHREE\n');
      expect(seat.model.requests.some((request) => request.includes('has changed since you last saw it'))).toBe(true);
      const changes = await seat.changes();
      expect(changes).toMatchObject([{ path: 'notes.txt', tool: 'Edit', evidence: 'exact' }]);
      expect(changes[0]!.agent).toMatch(client.names);
    });

    test('[AGT2] with its hooks in place too, each change is still recorded once, in the session of the hooks', async () => {
      await seat.init();
      seat.workspace.put('notes.txt', 'one\ntwo\nthree\n');
      await seat.run('go', [
        call('pal_read', { path: 'notes.txt' }),
        call('pal_edit', edit('three', '3')),
        { text: 'done' },
      ]);
      expect(seat.workspace.read('notes.txt')).toBe('one\ntwo\n3\n');
      const all = await seat.changes('--status', 'all', '--path', 'notes.txt');
      expect(all.filter(({ author }) => author.kind === 'agent')).toHaveLength(2);
      expect(all.at(-1)).toMatchObject({ author: { kind: 'agent' }, evidence: 'exact' });
      const { sessions } = await seat.workspace.json<{ sessions: { id: string; agent: string }[] }>('session', 'list');
      expect(sessions.find(({ id }) => id === all.at(-1)!.session)?.agent).toBe(seat.agent);
    });
  });
});
