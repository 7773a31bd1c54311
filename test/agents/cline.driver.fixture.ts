import { readdirSync, readFileSync } from 'node:fs';
import { type Driver, detached } from './driver.fixture.js';
import type { Seat } from './seat.fixture.js';

export const clineDriver: Driver = {
  agent: 'cline',
  source(platform) {
    const name = `@cline/cli-${platform}`;
    // Plugins run in a process of their own, which loads the other two.
    return { specs: [`${name}@3.0.65`, '@cline/shared@0.0.86', 'jiti@2.7.0'], program: `${name}/bin/cline` };
  },
  async prepare(seat) {
    seat.onLeave(() => endHub(seat));
    const words = ['auth', '--provider', 'openai-compatible', '--apikey', 'dummy', '--modelid', 'scripted'];
    const ran = await seat.start([seat.program, ...words, '--baseurl', `${seat.model.url}/v1`]);
    if (ran.exit !== 0) throw new Error(`cline auth: ${ran.stdout}${ran.stderr}`);
  },
  environment: () => ({
    CLINE_TELEMETRY_DISABLED: '1',
    // On a busy machine it would go on without its plugins.
    CLINE_PLUGIN_IMPORT_TIMEOUT_MS: '60000',
  }),
  words: ({ program, workspace }, prompt) => [
    program,
    '--json',
    '-P',
    'openai-compatible',
    '-m',
    'scripted',
    '-c',
    workspace.root,
    prompt,
  ],
  tools: (seat) => ({
    read: (path) => ({ name: 'read_files', input: { files: [{ path: seat.path(path) }] } }),
    readLines: (path, from, to) => ({
      name: 'read_files',
      input: { files: [{ path: seat.path(path), start_line: from, end_line: to }] },
    }),
    edit: (path, from, to) => ({ name: 'editor', input: { path: seat.path(path), old_text: from, new_text: to } }),
    write: (path, text) => ({ name: 'editor', input: { path: seat.path(path), new_text: text } }),
    shell: (command) => ({ name: 'run_commands', input: { commands: [command] } }),
    background: (command) => ({ name: 'run_commands', input: { commands: [detached(command)] } }),
  }),
  named: { edit: 'editor', write: 'editor', shell: 'run_commands' },
  resumes: false,
  mentions: false,
  saysGoodbye: true,
  callId: (id) => id,
};

/** Cline leaves a process running; the one of this home is known by its environment, and ended by its number. */
function endHub(seat: Seat): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (read(`/proc/${pid}/environ`).split('\0').includes(`HOME=${seat.home}`) && isHub(pid)) process.kill(Number(pid));
  }
}

function isHub(pid: string): boolean {
  return read(`/proc/${pid}/cmdline`).includes('--cline-hub-daemon');
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // It has ended meanwhile, or is not ours.
  }
}
