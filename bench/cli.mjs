// `pal tool begin` against a warm daemon, beside a Node that does nothing, in turns in the same run. The difference is
// what an agent pays for asking before each call. Exits with 1 when it is beyond its goal.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROUNDS = 30;
const WARM_UP = 5;
const GOAL_MS = 40;
const PAL = fileURLToPath(new URL('../apps/pal/bin/pal.js', import.meta.url));

const directory = mkdtempSync(join(tmpdir(), 'palimpsest-bench-cli-'));
const workspace = join(directory, 'workspace');
const env = {
  PATH: process.env.PATH,
  HOME: directory,
  PALIMPSEST_HOME: join(directory, 'data'),
  GIT_CONFIG_NOSYSTEM: '1',
};
let calls = 0;
try {
  mkdirSync(workspace);
  for (let at = 0; at < 500; at++) writeFileSync(join(workspace, `file-${at}.txt`), `${at}\n`.repeat(50));
  ran('git', ['init', '-q']);
  ran(process.execPath, [PAL, 'status', '--json']);
  const ways = {
    'node -e 0': () => ran(process.execPath, ['-e', '0']),
    'pal tool begin': () =>
      pal(['tool', 'begin', '--json'], {
        session: 's',
        callId: `c${++calls}`,
        tool: 'Read',
        input: { file_path: 'file-1.txt' },
      }),
    'pal tool begin (shell)': () =>
      pal(
        ['tool', 'begin', '--json'],
        { session: 's', callId: `c${++calls}`, tool: 'Bash', input: { command: 'make' } },
        'ended',
      ),
    'pal status': () => ran(process.execPath, [PAL, 'status', '--json']),
  };
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    for (const [name, way] of Object.entries(ways)) {
      const tookMs = way();
      if (round >= WARM_UP) times[name].push(tookMs);
    }
  }
  const bare = median(times['node -e 0']);
  for (const [name, took] of Object.entries(times)) {
    const middle = median(took);
    print(
      `${name.padEnd(24)} median ${middle.toFixed(1).padStart(7)} ms   × ${(middle / bare).toFixed(2)}   ${signed(middle - bare)} ms over node`,
    );
  }
  const over = median(times['pal tool begin']) - bare;
  print(`goal: at most ${GOAL_MS} ms over node -e 0: ${over <= GOAL_MS ? 'kept' : 'missed'}`);
  process.exitCode = over <= GOAL_MS ? 0 : 1;
} finally {
  ran(process.execPath, [PAL, 'stop']);
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}

/** Only the `begin` is timed. A shell call is ended again, so that open ones do not pile up. */
function pal(args, body, then) {
  const tookMs = ran(process.execPath, [PAL, ...args], JSON.stringify(body));
  if (then === 'ended')
    ran(process.execPath, [PAL, 'tool', 'end'], JSON.stringify({ session: body.session, callId: body.callId }));
  return tookMs;
}

function ran(command, args, input = '') {
  const began = performance.now();
  const { status, stderr, stdout } = spawnSync(command, args, { cwd: workspace, env, input, encoding: 'utf8' });
  const tookMs = performance.now() - began;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${status} ${stderr}${stdout}`);
  return tookMs;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function signed(value) {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
