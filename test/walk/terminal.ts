import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../patience.fixture.js';

const COLUMNS = 80;
const ROWS = 24;

/** What was on the screen after a command: as it stood there, and the lines that were too long for it. */
export type Screen = { readonly text: string; readonly wrapped: readonly string[] };

/** A shell in a terminal of 80 by 24, with a tmux of its own. */
export class Terminal {
  readonly #socket = `pal-walk-${process.pid}`;
  readonly #prompts: string;

  constructor(folder: string, home: string, environment: Readonly<Record<string, string>>) {
    this.#prompts = join(folder, 'prompts');
    writeFileSync(this.#prompts, '');
    const startup = join(folder, 'bashrc');
    writeFileSync(startup, `PS1='$ '\nPROMPT_COMMAND='echo >> "${this.#prompts}"'\ncd '${home}'\n`);
    const size = ['-x', String(COLUMNS), '-y', String(ROWS)];
    const shell = `exec bash --noprofile --rcfile '${startup}' -i`;
    execFileSync('tmux', ['-L', this.#socket, '-f', '/dev/null', 'new-session', '-d', ...size, shell], {
      env: { ...environment, TERM: 'xterm-256color' },
    });
  }

  async ready(): Promise<void> {
    await until(() => this.#shown() > 0);
  }

  /** Types a line and waits for the next prompt; a pager is left when it is in front. */
  async type(line: string): Promise<Screen> {
    const before = this.#shown();
    this.#tmux('send-keys', '-l', line);
    this.#tmux('send-keys', 'Enter');
    let paged = '';
    await until(() => {
      if (this.#shown() > before) return true;
      const screen = this.#capture();
      if (/^(?::|.*\(END\))$/m.test(screen.trimEnd().split('\n').at(-1) ?? '')) {
        paged = screen;
        this.#tmux('send-keys', 'q');
      }
      return false;
    });
    const text = paged === '' ? this.#capture('-S', '-') : `${paged}\n[a pager; q was pressed]\n`;
    const joined = this.#capture('-J', '-S', '-').split('\n');
    await this.#clear();
    return { text, wrapped: joined.map((each) => each.trimEnd()).filter((each) => each.length > COLUMNS) };
  }

  close(): void {
    spawnSync('tmux', ['-L', this.#socket, 'kill-server']);
  }

  async #clear(): Promise<void> {
    const before = this.#shown();
    this.#tmux('send-keys', '-l', 'clear');
    this.#tmux('send-keys', 'Enter');
    await until(() => this.#shown() > before);
    this.#tmux('clear-history');
  }

  #shown(): number {
    return readFileSync(this.#prompts, 'utf8').length;
  }

  #capture(...options: readonly string[]): string {
    return this.#tmux('capture-pane', '-p', ...options);
  }

  #tmux(...args: readonly string[]): string {
    return execFileSync('tmux', ['-L', this.#socket, ...args], { encoding: 'utf8' });
  }
}

/** Every screen in a file of its own, and all of them in one. */
export class Album {
  readonly #folder: string;
  #count = 0;

  constructor(folder: string) {
    this.#folder = folder;
    writeFileSync(join(folder, 'all.txt'), '');
  }

  add(name: string, { text, wrapped }: Screen): void {
    const number = String(++this.#count).padStart(2, '0');
    const told = wrapped.length === 0 ? '' : `[${wrapped.length} lines are longer than ${COLUMNS} columns]\n`;
    const page = `${text.trimEnd()}\n${told}`;
    writeFileSync(join(this.#folder, `${number}-${name}.txt`), page);
    appendFileSync(join(this.#folder, 'all.txt'), `══ ${number} ${name} ${'═'.repeat(40)}\n${page}\n`);
  }
}
