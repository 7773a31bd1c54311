import type { ReviewEntry } from '@palimpsest/core';
import { Chance } from '../../../../test/search.fixture.js';
import type { World } from './memory-world.fixture.js';
import { linesOf, Oracle } from './oracle.fixture.js';

/** What came of a sequence, so that a test can see that it was not idle. */
export type Tally = { rejected: number; cascaded: number; conflicts: number; undone: number; refusedUndos: number };

export const noTally = (): Tally => ({ rejected: 0, cascaded: 0, conflicts: 0, undone: 0, refusedUndos: 0 });

const PATHS = ['a', 'b'] as const;
const SESSIONS = ['S', 'T'] as const;
const INITIAL_LINES = 14;

/** Plays one seeded sequence and throws at the first thing that is not as it must be. */
export async function playSequence(world: World, seed: number, steps: number, tally: Tally): Promise<void> {
  const player = new Player(world, seed, tally);
  await player.begin();
  for (let step = 0; step < steps; step++) await player.step();
}

class Player {
  readonly #world: World;
  readonly #chance: Chance;
  readonly #seed: number;
  readonly #tally: Tally;
  readonly #oracle = new Oracle();
  readonly #initial = new Map<string, readonly string[]>();
  readonly #story: string[] = [];
  #lines = 0;

  constructor(world: World, seed: number, tally: Tally) {
    this.#world = world;
    this.#seed = seed;
    this.#chance = new Chance(seed);
    this.#tally = tally;
  }

  async begin(): Promise<void> {
    for (const path of PATHS) {
      const lines = Array.from({ length: INITIAL_LINES }, () => this.#line('o'));
      this.#initial.set(path, lines);
      await this.#world.human(path, textOf(lines));
      this.#oracle.see(path, textOf(lines));
    }
  }

  async step(): Promise<void> {
    const roll = this.#chance.next();
    if (roll < 0.36) await this.#edit('agent');
    else if (roll < 0.48) await this.#edit('human');
    else if (roll < 0.74) await this.#reject();
    else if (roll < 0.82) await this.#accept();
    else if (roll < 0.86) await this.#resolve();
    else if (roll < 0.92) await this.#undo();
    else if (roll < 0.96) await this.#redo();
    else await this.#say('restart', () => this.#world.restart());
    await this.#check();
  }

  async #edit(who: 'agent' | 'human'): Promise<void> {
    const path = this.#chance.pick(PATHS);
    const before = this.#world.text(path);
    const after = this.#next(before, who === 'agent' ? 'g' : 'h');
    if (before === after) return;
    const session = this.#chance.pick(SESSIONS);
    await this.#say(`${who} ${path} ${JSON.stringify(after)}`, () =>
      who === 'agent' ? this.#world.agent(session, path, after) : this.#world.human(path, after),
    );
    const change = who === 'human' ? null : ((await this.#world.entries()).at(-1)?.id ?? 'none');
    this.#oracle.edit(path, before, after, change);
  }

  /** Mostly a few lines changed in up to three places; at times a file goes, or comes anew. */
  #next(before: string | null, mark: string): string | null {
    if (before === null) return textOf([this.#line(mark), this.#line(mark)]);
    if (this.#chance.next() < 0.03) return null;
    const lines = [...linesOf(before)];
    for (let places = 1 + this.#chance.below(3); places > 0; places--) {
      const at = this.#chance.below(lines.length + 1);
      const removed = this.#chance.below(3);
      const written = Array.from({ length: this.#chance.below(3) }, () => this.#line(mark));
      lines.splice(at, removed, ...written);
    }
    return textOf(lines);
  }

  async #reject(): Promise<void> {
    const open = (await this.#world.entries()).filter(isOpen);
    if (open.length === 0) return;
    const selection = this.#selection(open);
    const cascade = this.#chance.next() < 0.1 ? 'file' : 'dependents';
    const before = this.#texts();
    const dry = await this.#world.verbs.reject(selection, { cascade, dryRun: true });
    this.#require(dry.ok && this.#same(before), 'a dry run writes nothing');
    const done = await this.#say(`reject ${cascade} ${JSON.stringify(selection)}`, () =>
      this.#world.verbs.reject(selection, { cascade }),
    );
    if (!done.ok || !dry.ok) throw this.#failure(`refused: ${JSON.stringify(done)}`);
    const { rejected, cascaded, conflicts, written } = done.value;
    for (const field of ['rejected', 'cascaded', 'conflicts', 'left', 'written'] as const)
      this.#require(
        JSON.stringify(dry.value[field]) === JSON.stringify(done.value[field]),
        `dry run differs: ${field}`,
      );
    this.#story.push(`= ${JSON.stringify(done.value)}`);
    const ids = [...rejected, ...cascaded];
    const missed = this.#oracle.dependents(ids).filter((change) => !conflicts.includes(change as never));
    this.#require(missed.length === 0, `rests on what was rejected: ${missed.join()}`);
    if (ids.length > 0) this.#oracle.decide('reject', ids);
    else if (conflicts.length > 0) this.#oracle.decideNothing();
    for (const path of PATHS)
      this.#require(written.includes(path as never) || this.#world.text(path) === before.get(path), `${path} written`);
    for (const path of PATHS) this.#oracle.see(path, this.#world.text(path));
    this.#tally.rejected += rejected.length;
    this.#tally.cascaded += cascaded.length;
    this.#tally.conflicts += conflicts.length;
  }

  #selection(open: readonly ReviewEntry[]) {
    const entry = this.#chance.pick(open);
    const roll = this.#chance.next();
    const hunks = entry.hunks.filter(isOpen);
    if (roll < 0.35 && hunks.length > 0) return { hunks: [this.#chance.pick(hunks).id] };
    if (roll < 0.75) return { changes: [entry.id] };
    if (roll < 0.87) return { path: entry.path };
    if (roll >= 0.95) return { all: true };
    const session = this.#chance.pick(SESSIONS);
    const isKnown = open.some(({ author }) => author.kind === 'agent' && author.session === session);
    return isKnown ? { session } : { changes: [entry.id] };
  }

  async #accept(): Promise<void> {
    const open = (await this.#world.entries()).filter(isOpen);
    if (open.length === 0) return;
    const selection = this.#selection(open);
    const before = this.#texts();
    const done = await this.#say(`accept ${JSON.stringify(selection)}`, () => this.#world.verbs.accept(selection));
    if (!done.ok) throw this.#failure(`refused: ${JSON.stringify(done)}`);
    if (done.value.accepted.length > 0) this.#oracle.decide('accept', done.value.accepted);
    this.#require(done.value.written.length === 0 && this.#same(before), 'accepting writes nothing');
  }

  async #resolve(): Promise<void> {
    const [entry] = this.#world.verbs.conflicts();
    if (entry === undefined) return;
    const before = this.#world.text(entry.path);
    if (this.#chance.next() < 0.5) {
      const done = await this.#say(`ours ${entry.id}`, () => this.#world.verbs.resolve(entry.id, { take: 'ours' }));
      this.#require(done.ok, 'ours can always be taken');
      const wholly = entry.hunks.every(({ status }) => status !== 'pending');
      if (wholly) this.#oracle.settle(entry.id);
      else
        this.#oracle.decide(
          'accept',
          entry.hunks.filter(({ status }) => status === 'conflict').map(({ id }) => id),
        );
      return;
    }
    if (entry.hunks.some(({ status }) => status === 'pending')) return;
    const after = textOf([...linesOf(before), this.#line('h')]);
    const bytes = new TextEncoder().encode(after);
    const done = await this.#say(`edited ${entry.id}`, () => this.#world.verbs.resolve(entry.id, { bytes }));
    this.#require(done.ok, 'an edited result can always be taken');
    this.#oracle.settleByEdit(entry.id, entry.path, before, after);
  }

  async #undo(): Promise<void> {
    const before = this.#texts();
    const done = await this.#say('undo', () => this.#world.verbs.undo());
    if (done.ok) {
      this.#oracle.undo();
      this.#tally.undone += 1;
      for (const path of PATHS) this.#oracle.see(path, this.#world.text(path));
      return;
    }
    if (done.error.code === 'nothing-to-do') this.#require(this.#oracle.decisions === 0, 'undo forgot a decision');
    else this.#require(done.error.code === 'conflict', `undo: ${JSON.stringify(done.error)}`);
    this.#tally.refusedUndos += 1;
    this.#require(this.#same(before), 'a refused undo writes nothing');
  }

  async #redo(): Promise<void> {
    const before = this.#texts();
    const done = await this.#say('redo', () => this.#world.verbs.redo());
    if (done.ok) {
      this.#oracle.redo();
      for (const path of PATHS) this.#oracle.see(path, this.#world.text(path));
      return;
    }
    if (done.error.code === 'nothing-to-do') this.#require(this.#oracle.undone === 0, 'redo forgot a decision');
    else this.#require(done.error.code === 'conflict', `redo: ${JSON.stringify(done.error)}`);
    this.#require(this.#same(before), 'a refused redo writes nothing');
  }

  async #check(): Promise<void> {
    for (const path of PATHS) {
      const complaint = this.#oracle.complaint(path, this.#initial.get(path)!, this.#world.text(path));
      if (complaint !== null) throw this.#failure(`${path}: ${complaint}`);
    }
    const complaint = this.#oracle.compare(await this.#world.entries());
    if (complaint !== null) throw this.#failure(complaint);
  }

  async #say<T>(what: string, act: () => Promise<T>): Promise<T> {
    this.#story.push(what);
    return act();
  }

  #texts(): ReadonlyMap<string, string | null> {
    return new Map(PATHS.map((path) => [path, this.#world.text(path)]));
  }

  #same(before: ReadonlyMap<string, string | null>): boolean {
    return PATHS.every((path) => this.#world.text(path) === before.get(path));
  }

  #require(holds: boolean, what: string): void {
    if (!holds) throw this.#failure(what);
  }

  #failure(what: string): Error {
    const texts = PATHS.map((path) => `${path}: ${JSON.stringify(this.#world.text(path))}`);
    return new Error([`seed ${this.#seed}: ${what}`, ...this.#story, ...texts].join('\n'));
  }

  #line(mark: string): string {
    this.#lines += 1;
    return `${mark}${this.#lines}`;
  }
}

export function isOpen({ status }: { readonly status: string }): boolean {
  return status === 'pending' || status === 'conflict';
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
