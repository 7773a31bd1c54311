import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ended, PAL, User } from '../cli/pal.fixture.js';
import { LIMIT_MS } from '../patience.fixture.js';
import { Expectation } from './expectation.js';
import type { Block } from './page.js';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

/** What `~/app`, where every page begins, holds: a repository with one commit. */
const APP = {
  'README.md': '# App\n\nSays hello.\n',
  'src/greet.js': `export function greet(name) {
  return 'Hello ' + name;
}

export function bye(name) {
  return 'Bye ' + name;
}
`,
};

/** Somebody who has just installed pal, and types what a page says at a terminal of 80 columns. */
export class Reader {
  readonly #user = new User();
  readonly #expectation = new Expectation();
  readonly #environment: Readonly<Record<string, string>>;
  readonly #home: string;
  readonly #state: string;
  #printed = '';

  constructor() {
    const { PALIMPSEST_HOME: _, ...environment } = this.#user.environment;
    this.#home = environment.HOME!;
    this.#state = join(this.#user.folder, 'state');
    const programs = join(this.#user.folder, 'bin');
    for (const folder of [this.#state, programs, join(this.#home, 'app')]) mkdirSync(folder);
    writeFileSync(join(programs, 'pal'), `#!/bin/sh\nexec '${process.execPath}' '${PAL}' "$@"\n`);
    chmodSync(join(programs, 'pal'), 0o755);
    this.#environment = {
      ...environment,
      PATH: [programs, dirname(process.execPath), environment.PATH].join(delimiter),
      PAL_TERMINAL: '80',
      NO_COLOR: '1',
      // For blocks that need what `npm ci` installed here.
      CHECKOUT,
    };
    this.#put('.gitconfig', '[user]\n\tname = You\n\temail = you@example.invalid\n[init]\n\tdefaultBranch = main\n');
    for (const [path, text] of Object.entries(APP)) this.#put(join('app', path), text);
    writeFileSync(join(this.#state, 'folder'), join(this.#home, 'app'));
    writeFileSync(join(this.#state, 'exports'), '');
  }

  async arrive(): Promise<void> {
    await this.#type('git init -q && git add -A && git commit -qm "first"', 0);
  }

  /** Null if it is as the page says. */
  async follow(block: Block): Promise<string | null> {
    switch (block.kind) {
      case 'run':
        return this.#type(this.#expectation.withRealIds(block.text), block.exit);
      case 'prints': {
        const expected = this.#expectation.misses(block.text, this.#printed);
        return expected && `expected\n${expected}\nbut it printed\n${this.#printed}`;
      }
      case 'prints-json':
        return this.#expectation.missesJson(JSON.parse(block.text), JSON.parse(this.#printed));
      case 'file':
        this.#put(join(this.#folder(), block.path), `${block.text}\n`);
        return null;
      case 'json':
        JSON.parse(block.text);
        return null;
      case 'skipped':
        return null;
    }
  }

  leave(): void {
    spawnSync(process.execPath, [PAL, 'stop'], { env: this.#environment, timeout: LIMIT_MS });
    this.#user.leave();
  }

  /** Each block has a shell of its own, which goes on in the folder and with the variables of the one before. */
  async #type(text: string, exit: number): Promise<string | null> {
    const shell = `. '${this.#state}/exports'; cd "$(cat '${this.#state}/folder')"
trap 'code=$?; pwd > "${this.#state}/folder"; export -p > "${this.#state}/exports"; exit $code' EXIT
set -eo pipefail
${text}\n`;
    const child = spawn('bash', ['--norc', '--noprofile', '-c', `exec 2>&1\n${shell}`], {
      cwd: this.#home,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ran = await ended(child);
    this.#printed = ran.stdout;
    return ran.exit === exit ? null : `exited with ${ran.exit}, and not ${exit}:\n${ran.stdout}${ran.stderr}`;
  }

  #folder(): string {
    return readFileSync(join(this.#state, 'folder'), 'utf8').trim();
  }

  #put(path: string, text: string): void {
    const file = path.startsWith('/') ? path : join(this.#home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
