import { mergeLines, type ReviewEntry, type Seq, sessionOf } from '@palimpsest/core';
import { Chance } from '../../../../test/search.fixture.js';
import { isOpen } from './random-review.fixture.js';
import type { ReviewVerbs } from './reviewer.js';
import { acceptedHunks, TokenOracle, type Tokens, tokensIn, tokensOnlyAt } from './token-oracle.fixture.js';

/** Where files move while agents and people write them. */
export interface MovingWorld {
  readonly verbs: ReviewVerbs;
  readonly last: Seq | 0;
  paths(): readonly string[];
  text(path: string): string | null;
  /** What `act` does with the three below it is one call of the session, or a person's doing; gives the call's id. */
  act(session: string | null, act: () => void): Promise<string>;
  write(path: string, text: string | null): void;
  rename(from: string, to: string): void;
  chmod(path: string): void;
  keepMine(since: Seq | 0): Promise<{ readonly conflicts: readonly { readonly path: string }[] }>;
  entries(): Promise<readonly ReviewEntry[]>;
  restart(): Promise<void>;
}

/** How often each move was made, so that a test can see that it was not idle. */
export type MoveTally = Map<string, number>;

type Texts = ReadonlyMap<string, string>;
/** Texts that were put away, and what stood there instead. */
type Stash = { readonly kept: Texts; readonly away: Texts };

const NAMES = ['a', 'b', 'c', 'd/x', 'd/y', 'e/x', 'e/y', 'f'] as const;
const SESSIONS = ['S', 'T'] as const;

/** Plays one seeded sequence of moves and throws at the first line that is lost, left or misnamed. */
export async function playMoves(world: MovingWorld, seed: number, steps: number, tally: MoveTally): Promise<void> {
  const player = new Player(world, seed, tally);
  await player.begin();
  for (let step = 0; step < steps; step++) await player.step();
}

class Player {
  readonly #world: MovingWorld;
  readonly #chance: Chance;
  readonly #seed: number;
  readonly #tally: MoveTally;
  readonly #oracle = new TokenOracle();
  readonly #story: string[] = [];
  readonly #snapshots: Texts[] = [];
  readonly #marks: (Seq | 0)[] = [];
  #stash: Stash | null = null;
  #lines = 0;

  constructor(world: MovingWorld, seed: number, tally: MoveTally) {
    this.#world = world;
    this.#seed = seed;
    this.#chance = new Chance(seed);
    this.#tally = tally;
  }

  async begin(): Promise<void> {
    await this.#do('human begins', null, () => {
      for (const path of ['a', 'b', 'd/x', 'd/y'])
        this.#world.write(path, textOf(Array.from({ length: 8 }, () => this.#line())));
    });
  }

  async step(): Promise<void> {
    const who = this.#chance.next() < 0.6 ? this.#chance.pick(SESSIONS) : null;
    const [, move] = this.#weighed([
      [26, () => this.#edit(who)],
      [4, () => this.#create(who)],
      [2, () => this.#remove(who)],
      [6, () => this.#rename(who, () => undefined)],
      [6, () => this.#rename(who, (path) => this.#world.write(path, this.#edited(this.#world.text(path)!)))],
      [3, () => this.#rename(who, (path) => this.#world.chmod(path))],
      [4, () => this.#moveFolder(who)],
      [4, () => this.#swap(who)],
      [2, () => this.#over(who)],
      [6, () => this.#away(who)],
      [8, () => this.#back(who)],
      [14, () => this.#reject()],
      [4, () => this.#accept()],
      [3, () => this.#resolve()],
      [5, () => this.#turn('undo')],
      [3, () => this.#turn('redo')],
      [4, () => this.#keepMine()],
      [2, () => this.#say('restart', () => this.#world.restart())],
    ]);
    await move();
    await this.#blame();
    if (this.#chance.next() < 0.2) this.#snapshots.push(this.#texts());
    if (this.#chance.next() < 0.1) this.#marks.push(this.#world.last);
  }

  async #edit(who: string | null): Promise<void> {
    const paths = this.#world.paths();
    if (paths.length === 0) return;
    const some = new Set([this.#chance.pick(paths), ...(this.#chance.next() < 0.2 ? [this.#chance.pick(paths)] : [])]);
    await this.#do(`edits ${[...some].join()}`, who, () => {
      for (const path of some) this.#world.write(path, this.#edited(this.#world.text(path)!));
    });
  }

  #edited(text: string): string {
    const lines = linesOf(text);
    for (let places = 1 + this.#chance.below(2); places > 0; places--) {
      const written = Array.from({ length: this.#chance.below(3) }, () => this.#line());
      lines.splice(this.#chance.below(lines.length + 1), this.#chance.below(3), ...written);
    }
    return textOf(lines);
  }

  async #create(who: string | null): Promise<void> {
    const path = this.#free();
    if (path === null) return;
    await this.#do(`makes ${path}`, who, () => this.#world.write(path, textOf([this.#line(), this.#line()])));
  }

  async #remove(who: string | null): Promise<void> {
    const paths = this.#world.paths();
    if (paths.length < 2) return;
    const path = this.#chance.pick(paths);
    await this.#do(`removes ${path}`, who, () => this.#world.write(path, null));
  }

  async #rename(who: string | null, and: (path: string) => void): Promise<void> {
    const [from, to] = [this.#some(), this.#free()];
    if (from === null || to === null) return;
    await this.#do(`renames ${from} to ${to}`, who, () => {
      this.#world.rename(from, to);
      and(to);
    });
  }

  async #moveFolder(who: string | null): Promise<void> {
    const paths = this.#world.paths();
    const [from, to] = paths.some((path) => path.startsWith('d/')) ? ['d/', 'e/'] : ['e/', 'd/'];
    const inside = paths.filter((path) => path.startsWith(from!));
    if (inside.length === 0 || paths.some((path) => path.startsWith(to!))) return;
    await this.#do(`moves ${from} to ${to}`, who, () => {
      for (const path of inside) this.#world.rename(path, `${to}${path.slice(2)}`);
    });
  }

  async #swap(who: string | null): Promise<void> {
    const [a, b] = [this.#some(), this.#some()];
    if (a === null || b === null || a === b) return;
    await this.#do(`swaps ${a} and ${b}`, who, () => {
      this.#world.rename(a, 'swapped');
      this.#world.rename(b, a);
      this.#world.rename('swapped', b);
    });
  }

  async #over(who: string | null): Promise<void> {
    const [a, b] = [this.#some(), this.#some()];
    if (a === null || b === null || a === b) return;
    await this.#do(`moves ${a} over ${b}`, who, () => this.#world.rename(a, b));
  }

  /** As `git stash`, `git checkout` or `git reset --hard` do: everything is as it was at an earlier time. */
  async #away(who: string | null): Promise<void> {
    const then = this.#snapshots.at(-1 - this.#chance.below(Math.min(3, this.#snapshots.length)));
    if (then === undefined || this.#stash !== null) return;
    const now = this.#texts();
    const paths = this.#chance.next() < 0.5 ? [...now.keys()] : [...new Set([...now.keys(), ...then.keys()])];
    const changed = paths.filter(
      (path) => now.get(path) !== then.get(path) && (then.has(path) || this.#chance.next() < 0.5),
    );
    if (changed.length === 0 || this.#standsTwice(now, then, changed)) return;
    await this.#do(`puts away ${changed.join()}`, who, () => this.#put(changed, then, who));
    this.#stash = { kept: only(now, changed), away: only(then, changed) };
  }

  /** As `git stash pop`, `git checkout -` or a rebase do: all of it is merged with what is there by then. */
  async #back(who: string | null): Promise<void> {
    const stash = this.#stash;
    if (stash === null) return;
    this.#stash = null;
    const now = this.#texts();
    const merged = new Map<string, string>();
    const paths = [...new Set([...stash.kept, ...stash.away].map(([path]) => path))];
    for (const path of paths) {
      const [base, ours, theirs] = [stash.away.get(path), now.get(path), stash.kept.get(path)];
      // What an agent writes is the agent's, unless it is known to be git that wrote it, or all of it was there before.
      if (who !== null && ours !== base) return;
      const result = mergedText(base, ours, theirs);
      if (result === 'conflict') return;
      if (result.text !== undefined) merged.set(path, result.text);
    }
    if (this.#standsTwice(now, merged, paths)) return;
    await this.#do(`brings back ${paths.join()}`, who, () => this.#put(paths, merged, who));
  }

  #put(paths: readonly string[], texts: Texts, who: string | null): void {
    if (who === null) this.#oracle.putByPerson(tokensIn(only(texts, paths)).keys());
    for (const path of paths) this.#world.write(path, texts.get(path) ?? null);
  }

  #standsTwice(now: Texts, then: Texts, paths: readonly string[]): boolean {
    const next = new Map(now);
    for (const path of paths) {
      const text = then.get(path);
      if (text === undefined) next.delete(path);
      else next.set(path, text);
    }
    const lines = [...next.values()].flatMap(linesOf);
    return new Set(lines).size < lines.length;
  }

  async #reject(): Promise<void> {
    const open = (await this.#world.entries()).filter(isOpen);
    if (open.length === 0) return;
    const entry = this.#chance.pick(open);
    const hunks = entry.hunks.filter(isOpen);
    const call = entry.author.kind === 'agent' ? entry.author.call : '';
    const anyone = this.#chance.pick(SESSIONS);
    const [, selection] = this.#weighed([
      [hunks.length > 0 ? 3 : 0, { hunks: [this.#chance.pick(hunks)?.id ?? ''] }],
      [5, { changes: [entry.id] }],
      [2, { changes: [...new Set([entry.id, this.#chance.pick(open).id])] }],
      [2, { path: entry.path }],
      [2, { call }],
      [1, { session: open.some(({ author }) => sessionOf(author) === anyone) ? anyone : sessionOf(entry.author)! }],
      [1, { all: true }],
    ]);
    const before = this.#tokens();
    const accepted = acceptedHunks(await this.#world.entries());
    const done = await this.#say(`reject ${JSON.stringify(selection)}`, () => this.#world.verbs.reject(selection));
    if (!done.ok) throw this.#failure(`refused: ${JSON.stringify(done.error)}`);
    const { rejected, cascaded, conflicts, left } = done.value;
    this.#story.push(`= ${JSON.stringify(done.value)}`);
    const undecided = new Set<string>([...conflicts, ...left.map(({ id }) => id)]);
    const inConflict = (await this.#world.entries()).filter(({ id }) => undecided.has(id)).map(({ path }) => path);
    const unsettled = tokensOnlyAt(inConflict, this.#texts());
    const decided = [...rejected, ...cascaded];
    this.#require(this.#oracle.decided(before, this.#tokens(), decided, 'forward', accepted, unsettled));
    this.#count('rejected', rejected.length);
    this.#count('conflicts', conflicts.length);
  }

  async #accept(): Promise<void> {
    const open = (await this.#world.entries()).filter(isOpen);
    if (open.length === 0) return;
    const before = JSON.stringify([...this.#texts()]);
    const { id } = this.#chance.pick(open);
    const done = await this.#say(`accept ${id}`, () => this.#world.verbs.accept({ changes: [id] }));
    this.#require(done.ok ? null : 'an open change can be accepted');
    this.#require(JSON.stringify([...this.#texts()]) === before ? null : 'accepting wrote');
  }

  async #resolve(): Promise<void> {
    const [entry] = this.#world.verbs.conflicts();
    if (entry === undefined) return;
    const before = this.#tokens();
    const take = this.#chance.next() < 0.5 ? 'ours' : 'theirs';
    const done = await this.#say(`resolve ${entry.id} ${take}`, () => this.#world.verbs.resolve(entry.id, { take }));
    this.#story.push(`= ${done.ok ? JSON.stringify(done.value.written) : done.error.code}`);
    if (take === 'theirs') {
      // Whoever takes their side gives up what rests on it.
      this.#oracle.decided(before, this.#tokens(), [], 'back');
      return;
    }
    this.#require(done.ok ? null : 'ours can always be taken');
    this.#require(this.#oracle.decided(before, this.#tokens(), [], 'forward'));
  }

  async #turn(which: 'undo' | 'redo'): Promise<void> {
    const before = this.#tokens();
    const done = await this.#say(which, () => this.#world.verbs[which]());
    this.#story.push(`= ${done.ok ? done.value.written.join() : done.error.code}`);
    if (!done.ok && !['nothing-to-do', 'conflict'].includes(done.error.code))
      throw this.#failure(`${which}: ${JSON.stringify(done.error)}`);
    this.#require(this.#oracle.decided(before, this.#tokens(), [], 'back'));
    if (done.ok) this.#count(`${which} done`);
  }

  async #keepMine(): Promise<void> {
    if (this.#marks.length === 0) return;
    const since = this.#chance.pick(this.#marks);
    const before = this.#tokens();
    const { conflicts } = await this.#say(`keep mine since ${since}`, () => this.#world.keepMine(since));
    this.#story.push(`= conflicts ${conflicts.map(({ path }) => path).join()}`);
    const after = this.#tokens();
    this.#require(this.#oracle.decided(before, after, [], 'forward'));
    if (conflicts.length > 0) return;
    const left = this.#oracle.ofAgentsSince(since, after.keys());
    this.#require(left.length === 0 ? null : `what agents wrote is left: ${left.join()}`);
  }

  async #blame(): Promise<void> {
    for (const path of this.#world.paths()) {
      const lines = await this.#world.verbs.blame(path);
      if (!lines.ok) throw this.#failure(`blame ${path}: ${JSON.stringify(lines.error)}`);
      this.#require(this.#oracle.misnamed(path, lines.value));
    }
  }

  /** Whatever lines are new afterwards, and were never there before, this hand wrote. */
  async #do(what: string, session: string | null, act: () => void): Promise<void> {
    const from = this.#lines;
    const before = this.#tokens();
    const call = await this.#say(`${session ?? 'human'} ${what}`, () => this.#world.act(session, act));
    this.#story.push(`= ${JSON.stringify([...this.#texts()])}`);
    this.#oracle.moved(before, this.#tokens(), session === null ? 'person' : 'agent');
    const written = new Set(Array.from({ length: this.#lines - from }, (_, index) => `t${from + index + 1}`));
    if (session === null) {
      this.#oracle.wrote(written, { call: null, change: null, hunk: null });
      return;
    }
    const made = (await this.#world.entries()).filter(({ author }) => author.kind === 'agent' && author.call === call);
    this.#story.push(`= ${made.map(({ id, file }) => `${id} ${file.fromPath ?? ''}>${file.path}`).join(' ')}`);
    for (const [path, text] of this.#texts()) {
      this.#oracle.wroteIn(
        linesOf(text),
        written,
        call,
        made.find(({ file }) => file.path === path),
      );
    }
  }

  async #say<T>(what: string, act: () => Promise<T>): Promise<T> {
    this.#story.push(what);
    this.#count(what.replace(/^(human|S|T) /, '').split(' ')[0]!);
    return act();
  }

  #count(what: string, by = 1): void {
    this.#tally.set(what, (this.#tally.get(what) ?? 0) + by);
  }

  #texts(): Texts {
    return new Map(this.#world.paths().map((path) => [path, this.#world.text(path)!]));
  }

  #tokens(): Tokens {
    return tokensIn(this.#texts());
  }

  #require(complaint: string | null): void {
    if (complaint !== null) throw this.#failure(complaint);
  }

  #failure(what: string): Error {
    return new Error([`seed ${this.#seed}: ${what}`, ...this.#story, JSON.stringify([...this.#texts()])].join('\n'));
  }

  #line(): string {
    this.#lines += 1;
    return `t${this.#lines}`;
  }

  #some(): string | null {
    const paths = this.#world.paths();
    return paths.length === 0 ? null : this.#chance.pick(paths);
  }

  #free(): string | null {
    const taken = new Set(this.#world.paths());
    const free = NAMES.filter((name) => !taken.has(name));
    return free.length === 0 ? null : this.#chance.pick(free);
  }

  #weighed<T>(choices: readonly (readonly [number, T])[]): readonly [number, T] {
    let at = this.#chance.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const choice of choices) {
      at -= choice[0];
      if (at < 0) return choice;
    }
    return choices.at(-1)!;
  }
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function only(texts: Texts, paths: readonly string[]): Texts {
  return new Map(paths.flatMap((path) => (texts.has(path) ? [[path, texts.get(path)!] as const] : [])));
}

function mergedText(
  base: string | undefined,
  ours: string | undefined,
  theirs: string | undefined,
): { readonly text: string | undefined } | 'conflict' {
  if (ours === base) return { text: theirs };
  if (theirs === base) return { text: ours };
  if (base === undefined || ours === undefined || theirs === undefined) return 'conflict';
  const encode = (text: string) => new TextEncoder().encode(text);
  const merged = mergeLines(encode(base), encode(ours), encode(theirs));
  return merged.kind === 'clean' ? { text: new TextDecoder().decode(merged.bytes) } : 'conflict';
}
