import type { Driver } from './driver.fixture.js';
import { toolUseId } from './wires.fixture.js';

export const claudeDriver: Driver = {
  agent: 'claude',
  source(platform) {
    const name = `@anthropic-ai/claude-code-${platform}`;
    return { specs: [`${name}@2.1.325`], program: `${name}/claude` };
  },
  prepare: () => undefined,
  environment: ({ model }) => ({
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'dummy',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }),
  words: ({ program }, prompt, { resume, model }) => [
    program,
    '-p',
    prompt,
    '--output-format',
    'stream-json',
    '--verbose',
    '--permission-mode',
    'acceptEdits',
    '--allowedTools',
    'Read,Edit,Write,Bash,Agent',
    ...(model === undefined ? [] : ['--model', model]),
    ...(resume === true ? ['--continue'] : resume === undefined ? [] : ['--resume', resume]),
  ],
  tools: (seat) => ({
    read: (path) => ({ name: 'Read', input: { file_path: seat.path(path) } }),
    readLines: (path, from, to) => ({
      name: 'Read',
      input: { file_path: seat.path(path), offset: from, limit: to - from + 1 },
    }),
    edit: (path, from, to) => ({
      name: 'Edit',
      input: { file_path: seat.path(path), old_string: from, new_string: to },
    }),
    write: (path, text) => ({ name: 'Write', input: { file_path: seat.path(path), content: text } }),
    shell: (command) => ({ name: 'Bash', input: { command, description: 'as the script says' } }),
    background: (command) => ({
      name: 'Bash',
      input: { command, description: 'as the script says', run_in_background: true },
    }),
  }),
  named: { edit: 'Edit', write: 'Write', shell: 'Bash' },
  resumes: true,
  mentions: true,
  saysGoodbye: true,
  refuses: { changedWhole: 'File has been modified since read' },
  callId: toolUseId,
};
