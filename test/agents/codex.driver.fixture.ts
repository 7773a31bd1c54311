import { type Driver, detached, onPath } from './driver.fixture.js';

const HOME = '.codex';

export const codexDriver: Driver = {
  agent: 'codex',
  source(platform) {
    const target = `${platform === 'linux-arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-musl`;
    return { specs: [`@openai/codex@0.166.0-${platform}`], program: `@openai/codex/vendor/${target}/bin/codex` };
  },
  prepare(seat) {
    const config = [
      'model = "gpt-5.5"',
      'model_provider = "scripted"',
      'approval_policy = "never"',
      'sandbox_mode = "danger-full-access"',
      'model_auto_compact_token_limit = 50000',
      '[model_providers.scripted]',
      'name = "scripted"',
      `base_url = "${seat.model.url}/v1"`,
      'wire_api = "responses"',
      'env_key = "SCRIPTED_KEY"',
      `[projects."${seat.workspace.root}"]`,
      'trust_level = "trusted"',
    ];
    seat.homeFile(`${HOME}/config.toml`, `${config.join('\n')}\n`);
  },
  environment: ({ home, program }) => ({
    CODEX_HOME: `${home}/${HOME}`,
    SCRIPTED_KEY: 'dummy',
    PATH: onPath(program),
  }),
  // Approving the hooks is the user's; here nobody is there to do it.
  words: ({ program }, prompt, { resume }) => [
    program,
    'exec',
    '--json',
    '--dangerously-bypass-hook-trust',
    '--skip-git-repo-check',
    ...(resume === undefined ? [] : ['resume', resume === true ? '--last' : resume]),
    prompt,
  ],
  tools: () => ({
    read: (path) => ({ name: 'exec_command', input: { cmd: `cat '${path}'` } }),
    readLines: (path, from, to) => ({ name: 'exec_command', input: { cmd: `sed -n '${from},${to}p' '${path}'` } }),
    edit: (path, from, to) => patch(`*** Update File: ${path}\n@@\n-${from}\n+${to}`),
    write: (path, text) => patch(`*** Add File: ${path}\n${text.trimEnd().replace(/^/gm, '+')}`),
    shell: (command) => ({ name: 'exec_command', input: { cmd: command } }),
    background: (command) => ({ name: 'exec_command', input: { cmd: detached(command) } }),
  }),
  named: { edit: 'apply_patch', write: 'apply_patch', shell: 'Bash' },
  resumes: true,
  mentions: false,
  saysGoodbye: true,
  callId: (id) => id,
};

export function patch(sections: string) {
  return { name: 'apply_patch', input: `*** Begin Patch\n${sections}\n*** End Patch\n`, custom: true } as const;
}
