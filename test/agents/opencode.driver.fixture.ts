import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Driver, detached, onPath } from './driver.fixture.js';
import type { Seat } from './seat.fixture.js';

/** What it installs beside a plugin on its first run, if it does not find it. */
const OPENCODE_PLUGIN = '1.18.33';

/** With a name like this one opencode offers `apply_patch` in place of `edit` and `write`. */
export const PATCHING_MODEL = 'gpt-5.5';

export const opencodeDriver: Driver = {
  agent: 'opencode',
  source: (platform) => ({
    specs: [`opencode-${platform}@1.18.33`, `@opencode-ai/plugin@${OPENCODE_PLUGIN}`],
    program: `opencode-${platform}/bin/opencode`,
  }),
  prepare(seat) {
    const models = { scripted: { name: 'scripted' }, [PATCHING_MODEL]: { name: PATCHING_MODEL } };
    const options = { baseURL: `${seat.model.url}/v1`, apiKey: 'dummy' };
    const config = {
      $schema: 'https://opencode.ai/config.json',
      autoupdate: false,
      share: 'disabled',
      model: 'scripted/scripted',
      small_model: 'scripted/scripted',
      provider: { scripted: { npm: '@ai-sdk/openai-compatible', name: 'scripted', options, models } },
      permission: { edit: 'allow', bash: 'allow' },
    };
    lendPluginPackage(seat);
    seat.homeFile('.config/opencode/opencode.json', `${JSON.stringify(config, null, 2)}\n`);
  },
  environment: ({ program }) => ({
    PATH: onPath(program),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    // It wants to install a package for plugins, which ours does not need.
    npm_config_fetch_retries: '0',
  }),
  words: ({ program }, prompt, { resume, model }) => [
    program,
    'run',
    '--format',
    'json',
    '-m',
    `scripted/${model ?? 'scripted'}`,
    ...(resume === true ? ['--continue'] : resume === undefined ? [] : ['--session', resume]),
    prompt,
  ],
  tools: (seat) => ({
    read: (path) => ({ name: 'read', input: { filePath: seat.path(path) } }),
    readLines: (path, from, to) => ({
      name: 'read',
      input: { filePath: seat.path(path), offset: from, limit: to - from + 1 },
    }),
    edit: (path, from, to) => ({
      name: 'edit',
      input: { filePath: seat.path(path), oldString: from, newString: to },
    }),
    write: (path, text) => ({ name: 'write', input: { filePath: seat.path(path), content: text } }),
    shell: (command) => ({ name: 'bash', input: { command, description: 'as the script says' } }),
    background: (command) => ({
      name: 'bash',
      input: { command: detached(command), description: 'as the script says' },
    }),
  }),
  named: { edit: 'edit', write: 'write', shell: 'bash' },
  resumes: true,
  mentions: false,
  saysGoodbye: true,
  callId: (id) => id,
};

/** It installs a package of its own beside any plugin, ten seconds long, unless it finds it. */
function lendPluginPackage(seat: Seat): void {
  const folder = join(seat.home, '.config/opencode');
  mkdirSync(folder, { recursive: true });
  symlinkSync(join(seat.program, '../../..'), join(folder, 'node_modules'));
  const dependencies = { '@opencode-ai/plugin': OPENCODE_PLUGIN };
  seat.homeFile('.config/opencode/package.json', JSON.stringify({ dependencies }));
  seat.homeFile('.config/opencode/package-lock.json', JSON.stringify({ packages: { '': { dependencies } } }));
}
