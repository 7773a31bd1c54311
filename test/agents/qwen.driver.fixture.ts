import { type Driver, detached } from './driver.fixture.js';

export const qwenDriver: Driver = {
  agent: 'qwen',
  source: () => ({ specs: ['@qwen-code/qwen-code@0.24.4'], program: '@qwen-code/qwen-code/cli.js' }),
  prepare(seat) {
    const settings = {
      security: { auth: { selectedType: 'openai' } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
    };
    seat.homeFile('.qwen/settings.json', `${JSON.stringify(settings, null, 2)}\n`);
  },
  environment: ({ model }) => ({
    OPENAI_API_KEY: 'dummy',
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_MODEL: 'scripted',
    QWEN_CODE_NO_RELAUNCH: 'true',
  }),
  words: ({ program }, prompt, { resume }) => [
    process.execPath,
    program,
    '--approval-mode',
    'yolo',
    '-o',
    'stream-json',
    ...(resume === true ? ['--continue'] : resume === undefined ? [] : ['--resume', resume]),
    '-p',
    prompt,
  ],
  tools: (seat) => ({
    read: (path) => ({ name: 'read_file', input: { file_path: seat.path(path) } }),
    readLines: (path, from, to) => ({
      name: 'read_file',
      input: { file_path: seat.path(path), offset: from - 1, limit: to - from + 1 },
    }),
    edit: (path, from, to) => ({
      name: 'edit',
      input: { file_path: seat.path(path), old_string: from, new_string: to },
    }),
    write: (path, text) => ({ name: 'write_file', input: { file_path: seat.path(path), content: text } }),
    shell: (command) => ({ name: 'run_shell_command', input: { command, is_background: false } }),
    background: (command) => ({
      name: 'run_shell_command',
      input: { command: detached(command), is_background: false },
    }),
  }),
  named: { edit: 'edit', write: 'write_file', shell: 'run_shell_command' },
  resumes: true,
  mentions: true,
  saysGoodbye: false,
  refuses: { touched: 'touched.txt has been modified since you last read it' },
  callId: () => null,
};
