import { claudeDriver } from '../agents/claude.driver.fixture.js';
import { codexDriver } from '../agents/codex.driver.fixture.js';
import type { Driver } from '../agents/driver.fixture.js';
import { geminiDriver } from '../agents/gemini.driver.fixture.js';
import { opencodeDriver } from '../agents/opencode.driver.fixture.js';
import { PAL } from '../cli/pal.fixture.js';
import { NamespaceProxy } from './namespaces.fixture.js';

const SERVER = { command: process.execPath, args: [PAL, 'mcp'] } as const;

export type RealClient = {
  readonly driver: Driver;
  /** What the client says it is. */
  readonly names: RegExp;
  readonly toolName: (tool: string) => string;
};

export const claude: RealClient = {
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

export const codex: RealClient = {
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
        // Otherwise the first turn begins without our tools when they are slow to start.
        'required = true',
        'startup_timeout_sec = 60',
        '[mcp_servers.palimpsest.env]',
        ...own,
      ];
      seat.homeFile('.codex/config.toml', `${config}${server.join('\n')}\n`);
    },
  },
};

export const gemini: RealClient = {
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

export const opencode: RealClient = {
  names: /^opencode/,
  toolName: (tool) => `palimpsest_${tool}`,
  driver: {
    ...opencodeDriver,
    prepare: async (seat) => {
      await opencodeDriver.prepare(seat);
      const config = JSON.parse(seat.readHome('.config/opencode/opencode.json')) as object;
      const command = [SERVER.command, ...SERVER.args];
      const palimpsest = { type: 'local', enabled: true, command, environment: seat.user.environment, timeout: 60_000 };
      seat.homeFile('.config/opencode/opencode.json', JSON.stringify({ ...config, mcp: { palimpsest } }));
    },
  },
};
