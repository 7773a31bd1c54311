import { type Driver, detached } from './driver.fixture.js';

export const geminiDriver: Driver = {
  agent: 'gemini',
  source: () => ({ specs: ['@google/gemini-cli@0.61.0'], program: '@google/gemini-cli/bundle/gemini.js' }),
  prepare(seat) {
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
    };
    seat.homeFile('.gemini/settings.json', `${JSON.stringify(settings, null, 2)}\n`);
  },
  environment: ({ model }) => ({
    GEMINI_API_KEY: 'dummy',
    GOOGLE_GEMINI_BASE_URL: model.url,
    GEMINI_CLI_NO_RELAUNCH: 'true',
  }),
  words: ({ program }, prompt, { resume }) => [
    process.execPath,
    program,
    '-m',
    'gemini-2.5-pro',
    '--approval-mode',
    'yolo',
    '--skip-trust',
    '-o',
    'stream-json',
    ...(resume === undefined ? [] : ['--resume', resume === true ? 'latest' : resume]),
    '-p',
    prompt,
  ],
  tools: () => ({
    // As models do, by a path that is seen from where the agent works.
    read: (path) => ({ name: 'read_file', input: { file_path: path } }),
    readLines: (path, from, to) => ({ name: 'read_file', input: { file_path: path, start_line: from, end_line: to } }),
    edit: (path, from, to) => ({
      name: 'replace',
      input: { file_path: path, instruction: 'as the script says', old_string: from, new_string: to },
    }),
    write: (path, text) => ({ name: 'write_file', input: { file_path: path, content: text } }),
    shell: (command) => ({ name: 'run_shell_command', input: { command, description: 'as the script says' } }),
    background: (command) => ({
      name: 'run_shell_command',
      input: { command: detached(command), description: 'as the script says' },
    }),
  }),
  named: { edit: 'replace', write: 'write_file', shell: 'run_shell_command' },
  resumes: true,
  mentions: true,
  saysGoodbye: true,
  callId: () => null,
};
