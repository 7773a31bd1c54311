import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Author, filesOf, type Operation } from '@palimpsest/core';
import { afterAll, expect, test } from 'vitest';
import { gitEnvironment, runGit } from '../../../../test/git.fixture.js';
import { seeds } from '../../../../test/search.fixture.js';
import { EngineProcess } from './engine-process.fixture.js';
import { missingIn } from './nothing-missing.fixture.js';
import { Chance, World } from './random-world.fixture.js';

const STEPS = 200;
const SEEDS = seeds({ brief: [1], long: [2, 3, 20_261_115, 774_111_098, 841_460_979] });

type OpenCall = {
  readonly session: string;
  readonly callId: string;
  readonly kind: 'write' | 'edit' | 'shell';
  readonly run: () => void;
  /** The file it writes and nothing else, where that is so. */
  readonly path?: string;
};

/** Humans, two agents with overlapping calls, a shell, git, restarts and crashes, in seeded random order. */
class Story {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'pal-random-')));
  readonly root = join(this.folder, 'work');
  readonly #data = join(this.folder, 'data');
  readonly #chance: Chance;
  readonly world: World;
  readonly log: string[] = [];
  readonly #open: OpenCall[] = [];
  /** Commands that ended and may still write. */
  readonly #behind: string[] = [];
  #engine: EngineProcess | null = null;
  #calls = 0;

  constructor(seed: number) {
    this.#chance = new Chance(seed);
    mkdirSync(this.root);
    this.world = new World(this.root, this.#chance);
    for (let index = 0; index < 6; index++) this.world.mess('start');
    this.#git('init', '-q', '-b', 'main');
    this.#commit();
  }

  get engine(): EngineProcess {
    return this.#engine!;
  }

  async start(): Promise<void> {
    this.#engine = await EngineProcess.start(this.root, this.#data);
  }

  async step(): Promise<void> {
    const kinds = [
      'human',
      'human',
      'begin',
      'begin',
      'begin',
      'run',
      'run',
      'end',
      'end',
      'end',
      'look',
      'git',
      'restart',
      'crash',
      'twice',
      'prompt',
      'background',
    ];
    const kind = this.#chance.pick(kinds);
    switch (kind) {
      case 'human':
        return this.#human();
      case 'begin':
        return this.#begin();
      case 'run':
      case 'end':
        return this.#finish(kind);
      case 'look':
        await this.engine.look();
        return;
      case 'git':
        return this.#gitStep();
      case 'restart':
        if (this.#chance.below(4) > 0) return;
        this.log.push('restart');
        await this.engine.close();
        return this.start();
      case 'crash':
        if (this.#chance.below(4) > 0) return;
        this.log.push('crash');
        await this.engine.kill();
        if (this.#chance.below(2) === 0 && this.#open.length === 0)
          this.log.push(`offline ${this.world.mess('human').join()}`);
        return this.start();
      case 'twice':
        if (this.#calls > 0)
          await this.engine.end({ session: 'S', callId: `call-${1 + this.#chance.below(this.#calls)}-done` });
        return;
      case 'prompt':
        return this.#prompt();
      case 'background':
        return this.#background();
    }
  }

  async finish(): Promise<readonly Operation[]> {
    while (this.#open.length > 0) await this.#finish('end');
    await this.engine.look();
    const operations = await this.engine.operations();
    expect(this.engine.faults).toEqual([]);
    await this.engine.close();
    return operations;
  }

  contentOf(id: string): string {
    return execFileSync('git', ['cat-file', 'blob', id], {
      encoding: 'utf8',
      env: { ...gitEnvironment(), GIT_DIR: join(this.#data, 'content.git') },
    });
  }

  missing(): readonly string[] {
    return missingIn(this.#data);
  }

  /** While a command runs that may write anything, a human's editor has to say what it saved: nobody else could know. */
  async #human(): Promise<void> {
    const announced = this.#open.some((call) => call.kind === 'shell') || this.#behind.length > 0;
    const paths = this.world.mess('human');
    this.log.push(`human ${paths.join()}${announced ? ' (announced)' : ''}`);
    if (announced) for (const path of paths) await this.engine.note({ kind: 'saved', path });
    await this.#lookOrNot(announced ? 'must' : 'may');
  }

  /**
   * Outside of tests we look a moment after every hint. Two hands on the same files within that moment cannot be told
   * apart by anybody; one human's edits after another's can wait.
   */
  async #lookOrNot(whether: 'must' | 'may'): Promise<void> {
    if (whether === 'must' || this.#open.length > 0 || this.#chance.below(2) === 0) await this.engine.look();
  }

  async #begin(): Promise<void> {
    if (this.#open.length >= 3) return;
    const session = this.#chance.pick(['S', 'T']);
    this.#calls += 1;
    const callId = `call-${this.#calls}`;
    const writer = `${session}:${callId}`;
    const call = this.#plan(writer);
    if (call === null) return;
    const { value } = await this.engine.begin({ session, callId, tool: call.tool, input: call.input });
    this.log.push(`begin ${writer} ${call.tool} ${JSON.stringify(call.input)} ${value.decision}`);
    if (value.decision !== 'deny') this.#open.push({ session, callId, ...call });
  }

  #plan(writer: string): (Pick<OpenCall, 'kind' | 'run' | 'path'> & { tool: string; input: object }) | null {
    const { world } = this;
    const path = world.existing() ?? world.anyName();
    switch (this.#chance.below(4)) {
      case 0: {
        const content = `${world.token(writer)}\n${world.token(writer)}\n`;
        const name = world.anyName();
        return {
          tool: 'Write',
          input: { file_path: name, content },
          kind: 'write',
          run: () => world.write(name, content),
          path: name,
        };
      }
      case 1: {
        if (!world.has(path)) return null;
        const old = this.#chance.pick(world.read(path).split('\n').filter(Boolean));
        const next = world.token(writer);
        const run = () => {
          if (!world.has(path)) return;
          const text = world.read(path);
          if (text.includes(`${old}\n`))
            world.write(
              path,
              text.replace(`${old}\n`, () => `${next}\n`),
            );
        };
        return { tool: 'Edit', input: { file_path: path, old_string: old, new_string: next }, kind: 'edit', run, path };
      }
      case 2: {
        const line = world.token(writer);
        const run = () => world.write(path, `${world.has(path) ? world.read(path) : ''}${line}\n`);
        return { tool: 'Bash', input: { command: `echo '${line}' >> '${path}'` }, kind: 'shell', run };
      }
      default:
        return {
          tool: 'Bash',
          input: { command: 'make everything' },
          kind: 'shell',
          run: () => {
            for (let index = this.#chance.below(3); index >= 0; index--)
              this.log.push(`  made ${world.mess(writer).join()}`);
          },
        };
    }
  }

  async #finish(how: 'run' | 'end'): Promise<void> {
    if (this.#open.length === 0) return;
    const at = this.#chance.below(this.#open.length);
    const call = this.#open[at]!;
    this.log.push(`${how} ${call.session}:${call.callId}`);
    await this.#halfWay(call);
    call.run();
    if (how === 'run') {
      this.#open[at] = { ...call, run: () => undefined };
      return this.#lookOrNot('must');
    }
    this.#open.splice(at, 1);
    await this.engine.end({ session: call.session, callId: call.callId });
  }

  /** Some tools empty the file first, and we look before they write. */
  async #halfWay({ path, kind }: OpenCall): Promise<void> {
    if (path === undefined || kind === 'shell' || !this.world.has(path) || this.#chance.below(3) > 0) return;
    const text = this.world.read(path);
    this.log.push(`  emptied ${path}`);
    this.world.write(path, '');
    await this.engine.look();
    this.world.write(path, text);
  }

  /** A command that returns at once and writes later, until its session is over. */
  async #background(): Promise<void> {
    const writer = this.#behind.at(0);
    if (writer !== undefined && this.#chance.below(3) > 0) {
      this.log.push(`behind ${writer} ${this.world.mess(writer).join()}`);
      await this.engine.look();
      return;
    }
    if (writer !== undefined) {
      this.#behind.splice(0);
      this.log.push('nothing runs in the background any more');
      await this.engine.note({ kind: 'quiet', session: 'B' });
      return;
    }
    this.#calls += 1;
    const callId = `call-${this.#calls}`;
    const call = { session: 'B', callId, tool: 'Bash', input: { command: 'make everything', run_in_background: true } };
    await this.engine.begin(call);
    await this.engine.end({ session: 'B', callId });
    this.log.push(`background B:${callId}`);
    this.#behind.push(`B:${callId}`);
  }

  async #prompt(): Promise<void> {
    const session = this.#chance.pick(['S', 'T']);
    if (this.#open.some((call) => call.session === session)) return;
    await this.engine.note({ kind: 'prompt', session, text: 'go on' });
  }

  async #gitStep(): Promise<void> {
    if (this.#open.length > 0) return;
    const what = this.#chance.pick(['commit', 'branch', 'checkout', 'stash', 'reset']);
    this.log.push(`git ${what}`);
    switch (what) {
      case 'commit':
        return this.#commit();
      case 'branch':
        this.#git('checkout', '-q', '-B', this.#chance.pick(['one', 'two']));
        return;
      case 'checkout':
        this.#commit();
        this.#git(
          'checkout',
          '-q',
          this.#chance.pick(this.#git('branch', '--format=%(refname:short)').trim().split('\n')),
        );
        return;
      case 'stash':
        this.#git('stash', '-q', '-u');
        return;
      case 'reset':
        this.#git('reset', '-q', '--hard');
    }
  }

  #commit(): void {
    this.#git('add', '-A');
    this.#git('commit', '-q', '--allow-empty', '-m', 'work');
  }

  #git(...args: string[]): string {
    return runGit(this.root, args);
  }
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test.each(SEEDS)(
  '[CAP1a] [CAP4f] seed %i: every change once, chains unbroken, replay is the disk, nothing of the human’s is an agent’s',
  async (seed) => {
    const story = new Story(seed);
    folders.push(story.folder);
    const start = story.world.snapshot();
    await story.start();
    for (let step = 0; step < STEPS; step++) await story.step();
    const operations = await story.finish();
    try {
      const replayed = replay(story, start, operations);
      expect(replayed).toEqual(story.world.snapshot());
      expect(story.missing()).toEqual([]);
    } catch (error) {
      throw new Error(
        `seed ${seed}: ${String(error)}\n${story.log.join('\n')}\n${operations.map((operation) => JSON.stringify(operation)).join('\n')}`,
      );
    }
  },
);

function replay(
  story: Story,
  start: ReadonlyMap<string, string>,
  operations: readonly Operation[],
): Map<string, string> {
  const files = new Map(start);
  // A line that stood somewhere before may come again by a move, a copy or git; whoever brings it did not write it.
  const known = new Set([...start.values()].flatMap((text) => text.split('\n')));
  const reattributed = new Map(
    operations.flatMap((operation) =>
      operation.kind === 'attributed' ? operation.changes.map(({ id }) => [id, operation.author] as const) : [],
    ),
  );
  for (const operation of operations) {
    for (const [index, file] of filesOf(operation).entries()) {
      const from = file.fromPath ?? file.path;
      const before = file.before === null ? undefined : story.contentOf(file.before.content);
      expect(before, `before of ${file.path} in ${operation.seq}`).toBe(files.get(from));
      const after = file.after === null ? undefined : story.contentOf(file.after.content);
      files.delete(from);
      if (after !== undefined) files.set(file.path, after);
      const author =
        operation.kind === 'changed'
          ? (reattributed.get(`c${operation.seq}.${index + 1}` as never) ?? operation.author)
          : null;
      const fresh = (after ?? '').split('\n').filter((line) => line !== '' && !known.has(line));
      for (const line of fresh) known.add(line);
      if (author !== null) checkAuthor(author, fresh, `${file.path} in ${operation.seq}`);
    }
  }
  return files;
}

/** Each new line names its writer; whoever is recorded as author must be that writer, or not be sure. */
function checkAuthor(author: Author, lines: readonly string[], where: string): void {
  for (const line of lines) {
    const writer = line.split('#')[0]!;
    if (author.kind === 'agent') expect(`${author.session}:${author.call}`, `${line} of ${where}`).toBe(writer);
    if (author.kind === 'human') expect(writer, `${line} of ${where}`).toBe('human');
    if (author.kind === 'unknown' && author.candidates.length > 0 && writer !== 'human') {
      expect(
        author.candidates.map(({ session, call }) => `${session}:${call}`),
        `${line} of ${where}`,
      ).toContain(writer);
    }
  }
}
