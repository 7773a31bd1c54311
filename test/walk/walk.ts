import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { claudeDriver } from '../agents/claude.driver.fixture.js';
import { programOf } from '../agents/programs.fixture.js';
import { ScriptedModel } from '../agents/scripted-model.fixture.js';
import { Album, Terminal } from './terminal.js';

/*
 * The newcomer's walk: from an empty home to a reviewed session of the real Claude Code, which talks to a model that follows
 * a script, and out again. `npm run walk -- FOLDER` leaves every screen in that folder, for somebody to look at. It needs
 * tmux, and the network or npm's cache for Claude Code.
 */

const APP = fileURLToPath(new URL('../../apps/pal/', import.meta.url));
const GREET = `export function greet(name) {
  return 'Hello ' + name;
}

export function bye(name) {
  return 'Bye ' + name;
}
`;

export async function main(args: readonly string[]): Promise<number> {
  const out = resolve(args[0] ?? join(tmpdir(), 'palimpsest-walk'));
  const program = await programOf(claudeDriver);
  if ('missing' in program) {
    process.stderr.write(`the walk needs the real Claude Code: ${program.missing}\n`);
    return 1;
  }
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pal-walk-')));
  const model = await ScriptedModel.start();
  const newcomer = settle(folder, program.file, model.url);
  const terminal = new Terminal(folder, newcomer.home, newcomer.environment);
  try {
    await terminal.ready();
    await walk(terminal, { album: new Album(out), model, tarball: newcomer.tarball, app: newcomer.app });
    process.stdout.write(`the screens are in ${out}; look at ${join(out, 'all.txt')}\n`);
    return 0;
  } finally {
    await terminal.type('pal stop');
    terminal.close();
    await model.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

type Walk = { readonly album: Album; readonly model: ScriptedModel; readonly tarball: string; readonly app: string };

async function walk(terminal: Terminal, { album, model, tarball, app }: Walk): Promise<void> {
  const type = async (name: string, line: string) => {
    const screen = await terminal.type(line);
    album.add(name, screen);
    return screen.text;
  };
  await type('install', `npm install --global ${tarball}`);
  await type('alone', 'pal');
  await type('outside', 'pal status');
  await type('enter', 'cd app');
  await type('doctor-before', 'pal doctor');
  await type('init-dry-run', 'pal init --dry-run');
  await type('init', 'pal init');
  await type('status-before', 'pal status');

  model.play(stepsOf(app));
  await type(
    'agent',
    `claude -p "Make the greetings friendlier" --permission-mode acceptEdits --allowedTools Read,Edit,Bash`,
  );
  writeFileSync(join(app, 'src/greet.js'), `${FRIENDLY}// Ask Ada before changing words.\n`);
  await type('status', 'pal status');
  await type('changes', 'pal changes');
  const change =
    /^(c\d+\.\d+) +M +src\/greet\.js/m.exec(await type('changes-path', 'pal changes --path src'))?.[1] ?? 'c0.1';
  await type('show', `pal show ${change}`);
  await type('show-all', 'pal show');
  await type('show-stat', 'pal show --stat');
  await type('reject', `pal reject ${change} --comment "we say Bye here"`);
  await type('undo', 'pal undo');
  await type('reject-typo', 'pal reject c999.1');
  await type('accept', 'pal accept --all');
  await type('undo-accept', 'pal undo');
  await type('conflict-edit', `sed -i "s/Good morning/Good evening/" src/greet.js`);
  await type('conflict', `pal reject ${change}`);
  await type('conflicts', 'pal conflicts');
  await type('resolve', `pal resolve ${change} --take mine`);
  await type('blame', 'pal blame src/greet.js');
  await type('stale', 'pal stale');
  await type('sessions', 'pal session list');
  const checkpoint = /^(k\d+)/m.exec(await type('checkpoints', 'pal checkpoint list'))?.[1] ?? 'k0';
  await type('restore-dry-run', `pal checkpoint restore ${checkpoint} --dry-run`);
  await type('restore', `pal checkpoint restore ${checkpoint} --keep-mine`);
  await type('restore-undo', 'pal undo');
  await type('log', 'pal log | tail -15');
  await type('commit', 'git add -A && pal commit-message');
  await type('stats', 'pal stats');
  await type('workspaces', 'pal workspaces');
  await type('settings', 'pal settings');
  await type('typo', 'pal stauts');
  await type('help', 'pal help reject');
  await type('doctor', 'pal doctor');
  await type('uninstall-dry-run', 'pal uninstall --dry-run');
  await type('uninstall', 'pal uninstall --data');
  await type('remove', 'npm uninstall --global palimpsest');
}

const FRIENDLY = GREET.replace('Hello', 'Good morning').replace('Bye', 'See you');

/** It reads, edits twice, runs a command, and is refused an edit of a file that it has not read. */
function stepsOf(app: string) {
  const { read, edit, shell } = {
    read: (path: string) => ({ name: 'Read', input: { file_path: join(app, path) } }),
    edit: (path: string, old_string: string, new_string: string) => ({
      name: 'Edit',
      input: { file_path: join(app, path), old_string, new_string },
    }),
    shell: (command: string) => ({ name: 'Bash', input: { command, description: 'as the script says' } }),
  };
  return [
    { calls: [read('src/greet.js')] },
    { calls: [edit('src/greet.js', 'Hello', 'Good morning')] },
    { calls: [edit('src/greet.js', 'Bye', 'See you')] },
    { calls: [edit('README.md', 'Says hello.', 'Says good morning.')] },
    { calls: [shell('echo 1.0 > VERSION')] },
    { text: 'The greetings are friendlier now.' },
  ];
}

/** Somebody with a home in which there is nothing but a project, Claude Code, and a folder for npm to install into. */
function settle(folder: string, claude: string, modelUrl: string) {
  const home = join(folder, 'home');
  const [app, programs] = [join(home, 'app'), join(home, '.local/bin')];
  for (const place of [join(app, 'src'), programs]) mkdirSync(place, { recursive: true });
  symlinkSync(claude, join(programs, 'claude'));
  writeFileSync(join(app, 'README.md'), '# App\n\nSays hello.\n');
  writeFileSync(join(app, 'src/greet.js'), GREET);
  const environment = {
    PATH: [programs, dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: home,
    LANG: 'C.UTF-8',
    npm_config_prefix: join(home, '.local'),
    npm_config_offline: 'true',
    GIT_CONFIG_NOSYSTEM: '1',
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'dummy',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
  const run = (program: string, ...words: readonly string[]) =>
    execFileSync(program, words, { cwd: app, env: environment, encoding: 'utf8' });
  run('git', 'init', '-q');
  run('git', 'config', '--global', 'user.name', 'You');
  run('git', 'config', '--global', 'user.email', 'you@example.invalid');
  run('git', 'add', '-A');
  run('git', 'commit', '-qm', 'first');
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', `--pack-destination=${home}`], {
      cwd: APP,
      env: environment,
      encoding: 'utf8',
    }),
  ) as [{ filename: string }];
  chmodSync(home, 0o755);
  return { home, app, environment, tarball: packed.filename };
}
