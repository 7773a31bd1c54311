import { spawnSync } from 'node:child_process';
import { PAL, User, type Workspace } from '../cli/pal.fixture.js';
import { until } from '../patience.fixture.js';
import { ESCAPE } from './picture.js';

/** An id, or what else says the number of an operation; colour may stand before it. */
const NUMBER = new RegExp(`(?<=\\b|${ESCAPE}\\[\\d+m)([ck]|seq |operation )(\\d+)`, 'g');
const GREET = `export function greet(name) {
  return 'Hello ' + name;
}

export function bye(name) {
  return 'Bye ' + name;
}
`;
const FILES = { 'README.md': '# App\n\nSays hello.\n', 'src/greet.js': GREET };

/** One real run, of which some moments are pictures: an agent and a person at work in one folder, and what follows. */
export async function playScenes(stage: Stage): Promise<void> {
  const { workspace } = stage;
  await agentAndPerson(workspace);
  stage.type('pal status');
  stage.takePicture('status');

  const { changes } = await workspace.json<{ changes: { id: string; path: string }[] }>('changes');
  const change = changes.find(({ path }) => path === 'src/greet.js')!.id;
  stage.type(`pal show ${change}`);
  stage.takePicture('show');

  stage.type('pal changes');
  stage.type(`pal reject ${change}.2 --comment "we say Bye here"`);
  stage.type('pal blame src/greet.js');
  stage.takePicture('review');

  const content = '# App\n\nSays hello and goodbye.\n';
  const write = { session: '7f3a', callId: 't5', tool: 'Write', input: { file_path: 'README.md', content } };
  await workspace.call('7f3a', 't4', 'Read', { file_path: 'README.md' }, () => undefined);
  workspace.put('README.md', '# App\n\nSays hello, and never goodbye.\n');
  workspace.write('../write.json', JSON.stringify(write));
  stage.type('pal tool begin < ../write.json | fold -s -w 80');
  stage.takePicture('refused');

  const { checkpoint } = await workspace.json<{ checkpoint: { id: string } }>('checkpoint', 'save', '-m', 'lunch');
  await workspace.pal('run', '--agent', 'codex', '--', 'sh', '-c', 'rm -r src README.md');
  workspace.put('mine.txt', 'my own notes\n');
  stage.type('ls');
  stage.type(`pal checkpoint restore ${checkpoint.id} --keep-mine`);
  stage.type('ls');
  stage.takePicture('restore');
}

/** Claude Code runs a command and edits a file, and then a person adds a line. */
async function agentAndPerson(workspace: Workspace): Promise<void> {
  const after = GREET.replace('Hello', 'Good morning').replace('Bye', 'See you');
  const write = { file_path: 'src/greet.js', content: after };
  await workspace.pal('session', 'start', '--id', '7f3a', '--agent', 'claude', '--title', 'Friendlier words');
  await workspace.call('7f3a', 't1', 'Bash', { command: 'echo 1.0 > VERSION' }, () =>
    workspace.put('VERSION', '1.0\n'),
  );
  await workspace.call('7f3a', 't2', 'Read', { file_path: 'src/greet.js' }, () => undefined);
  await workspace.call('7f3a', 't3', 'Write', write, () => workspace.put('src/greet.js', after));
  workspace.put('src/greet.js', `${after}// Ask Ada before changing words.\n`);
  await workspace.pal('status');
}

/** A workspace with a terminal of 80 columns. */
export class Stage {
  readonly #user = new User();
  readonly workspace: Workspace = this.#user.workspace(FILES);
  readonly #pictures = new Map<string, string>();
  #screen: string[] = [];

  static async set(): Promise<Stage> {
    const stage = new Stage();
    // Columns are as wide as the ids in them, so that all of them get two digits.
    for (let operation = 0; operation < 10; operation++) {
      await stage.workspace.say(['note'], { kind: 'prompt', session: 'earlier', text: `${operation}` });
    }
    await stage.workspace.pal('session', 'end', 'earlier');
    await until(async () => !(await stage.workspace.json<{ takingStock: boolean }>('status')).takingStock);
    return stage;
  }

  type(line: string): void {
    const shell = `pal() { '${process.execPath}' '${PAL}' "$@"; }\n${line}`;
    const env = { ...this.#user.environment, PAL_TERMINAL: '80' };
    const { stdout, stderr } = spawnSync('bash', ['-c', shell], { cwd: this.workspace.root, env, encoding: 'utf8' });
    this.#screen.push(`\x1b[36m$\x1b[39m \x1b[1m${line}\x1b[22m`, `${stdout}${stderr}`.trimEnd(), '');
  }

  /** Of what was typed and printed since the last one. */
  takePicture(name: string): void {
    this.#pictures.set(name, this.#screen.join('\n'));
    this.#screen = [];
  }

  /** All of them, with what is never the same made so. */
  pictures(): ReadonlyMap<string, string> {
    // What is saved in the background takes numbers of the log whenever it is done; here those that are seen go up by two.
    const seen = [...this.#pictures.values()].flatMap((screen) =>
      [...screen.matchAll(NUMBER)].map(([, , n]) => Number(n)),
    );
    const inOrder = [...new Set(seen)].sort((a, b) => a - b);
    const numbered = (real: string) => String(14 + 2 * inOrder.indexOf(Number(real)));
    const steady = (screen: string) =>
      screen
        .replaceAll(this.workspace.root, '~/app')
        .replace(/(?:just now|\d+ (?:s|min) ago)( {2,}|)/g, (found) => 'just now'.padEnd(found.length))
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-11-16T09:41:00.000Z')
        .replace(/process \d+/g, 'process 4711')
        // Where other programs have taken all watchers, it scans, and says so.
        .replace(', by scanning', '')
        .replace(/\n\n[^\n]*To know[^\n]*\n[^\n]*fs\.inotify[^\n]*/, '')
        .replace(NUMBER, (_, what: string, number: string) => what + numbered(number))
        .replace(/\d+ checkpoints, \d+ operations/g, '4 checkpoints, 31 operations')
        .replace(/[\d.]+ (?:B|KiB)\b/g, '2.1 KiB');
    return new Map([...this.#pictures].map(([name, screen]) => [name, steady(screen)]));
  }

  leave(): void {
    this.#user.leave();
  }
}
