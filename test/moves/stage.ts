import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Act } from './act.js';
import { checkAuthors, type Deed } from './authors.js';
import type { Chance } from './chance.js';
import { isCovered } from './coverage.js';
import { Desk, type Way } from './desk.js';
import type { Said } from './http-door.js';
import { Ledger, NOT_KNOWN, type OperationJson, type Recorded } from './ledger.js';
import { stockTaken } from './opening.js';
import { Outside } from './outside.js';
import { Album, type Photograph } from './photograph.js';
import type { Table } from './table.js';
import { Tokens, tokensIn } from './token.js';
import { Views } from './views.js';
import { must, Violation } from './violation.js';
import type { World } from './world.js';

/** A call that began and has not ended yet. */
export type OpenCall = {
  readonly session: string;
  readonly call: string;
  /** A command may write anything; the other tools write what they say. */
  readonly shell: boolean;
  /** A prompt to its session does not end the call of a subagent, which may go on in the background. */
  readonly subagent: boolean;
  readonly paths: readonly string[];
};

/** A decision that can be undone, with what the disk held around it. */
export type Decision = { readonly seq: number; readonly before: Photograph; readonly after: Photograph };

/** Everything that a move may use, and all that the oracle knows. */
export class Stage {
  readonly world: World;
  readonly desk: Desk;
  readonly album = new Album();
  readonly tokens = new Tokens();
  readonly table: Table;
  readonly views = new Views();
  readonly outside: Outside;
  readonly open: OpenCall[] = [];
  /** Calls that did their work, and whose end is still to come. */
  readonly late: { readonly session: string; readonly call: string; readonly done: boolean; readonly act: Act }[] = [];
  readonly decisions = new Map<number, Decision>();
  /** By checkpoint, what the disk held. */
  readonly copies = new Map<string, Photograph>();
  /** By call, what the disk held around it, where nobody else was at work: its automatic checkpoints hold that. */
  readonly around = new Map<string, { readonly before: Photograph; readonly after: Photograph }>();
  /** Versions of files, oldest first: what an editor may still have in a buffer. */
  readonly versions = new Map<string, string[]>();
  /** Changes of which single hunks were decided. */
  readonly parted = new Set<string>();
  /** Tokens that stand in two files, or that somebody brought back: whose they are now is a matter of opinion. */
  readonly moved = new Set<string>();
  readonly seen = new Set<string>();
  /** Tokens whose first change is recorded as nobody's. */
  readonly uncertain = new Set<string>();
  /** Contents that are to be nowhere any more. */
  readonly forgotten = new Set<string>();
  readonly story: string[] = [];
  chance: Chance;
  ledger: Ledger;
  now: Photograph;
  #deeds: Deed[] = [];
  /** Something may still write, or wrote while nobody looked: a person's change may be anybody's. */
  #murky = false;
  #haunted = false;
  /** Whether such commands come in this world at all. */
  readonly mayHaunt: boolean;
  #calls = 0;
  #names = 0;
  /** Where tokens are on disk, where each was first, and those that ever were anywhere. */
  #there: ReadonlyMap<string, readonly string[]> = new Map();
  readonly #homes = new Map<string, string>();
  readonly #ever = new Set<string>();
  /** By content: the same texts are asked about after every step. */
  readonly #tokensIn = new Map<string, readonly string[]>();

  constructor(world: World, chance: Chance, table: Table) {
    this.world = world;
    this.desk = new Desk(world);
    this.chance = chance;
    this.mayHaunt = chance.in(0.15);
    this.table = table;
    this.now = this.album.take(world.root);
    this.ledger = new Ledger(this.now);
    this.outside = new Outside(world);
    this.#remember(this.now);
    for (const { id } of this.now.files.values()) for (const token of this.tokensOf(id)) this.seen.add(token);
  }

  say(words: string): void {
    this.story.push(words);
  }

  /** Mostly HTTP, which is quick; the others often enough to be proven. */
  way(): Way {
    const roll = this.chance.next();
    const way = !this.isFoundByFolder || roll > 0.05 ? 'HTTP' : roll < 0.012 ? 'command line' : 'MCP';
    this.table.count('What is asked of us', `over ${way}`);
    return way;
  }

  /** The other doors take the whole repository for the workspace when they are used in a folder of it. */
  get isFoundByFolder(): boolean {
    return this.world.around !== 'a folder inside a repository';
  }

  newCall(): string {
    this.#calls += 1;
    return `c${this.#calls}`;
  }

  newName(): number {
    this.#names += 1;
    return this.#names;
  }

  did(deed: Deed): void {
    this.#deeds.push(deed);
  }

  get murky(): boolean {
    return this.#murky;
  }

  makeMurky(): void {
    this.#murky = true;
  }

  /** A command may go on for ever after its call: from here on nobody can be sure whose anything is. */
  haunt(): void {
    this.#haunted = true;
    this.#murky = true;
  }

  clearUp(): void {
    this.#murky = this.#haunted;
  }

  /** An answer that must be a success. */
  good(said: Said, what: string): Said['value'] {
    must(said.ok, 7, () => `${what}: ${said.code} ${JSON.stringify(said.value).slice(0, 600)}`);
    return said.value;
  }

  /** A refusal is an answer; a fault of the daemon's is not. */
  answered(said: Said, what: string): Said {
    must(said.ok || !FAULTS.has(said.code), 7, () => `${what}: ${said.code} ${JSON.stringify(said.value)}`);
    return said;
  }

  photograph(): Photograph {
    return this.album.take(this.world.root);
  }

  text(path: string): string {
    return readFileSync(join(this.world.root, path), 'latin1');
  }

  bytesOf(id: string): Buffer | undefined {
    return this.album.bytes(id);
  }

  tokensOf(id: string | undefined): readonly string[] {
    if (id === undefined) return [];
    const known = this.#tokensIn.get(id);
    if (known !== undefined) return known;
    const bytes = this.album.bytes(id);
    if (bytes === undefined) return [];
    const tokens = tokensIn(bytes);
    this.#tokensIn.set(id, tokens);
    return tokens;
  }

  /** What the disk holds between two deeds of one step: a line that goes and comes is noticed. */
  glance(): void {
    this.#remember(this.photograph());
  }

  /** Looks, reads the news from the log, and compares everything with the disk. */
  async settle(): Promise<readonly Recorded[]> {
    let recorded = await this.#looked();
    // What a file was that went before anybody had met it, is known once stock is taken.
    if (this.murky && this.#complaints().length > 0) {
      await stockTaken(this);
      recorded = [...recorded, ...(await this.#looked())];
    }
    const complaints = this.#complaints();
    if (complaints.length > 0) throw new Violation(2, complaints.slice(0, 6).join('\n'));
    this.#remember(this.now);
    checkAuthors(this, recorded, this.#deeds);
    if (this.open.length === 0) this.#deeds = [];
    return recorded;
  }

  async #looked(): Promise<readonly Recorded[]> {
    this.good(await this.desk.look(), 'a look');
    this.now = this.photograph();
    return this.news();
  }

  /** What a running call did is recorded when it ends, because it may go on writing. */
  #complaints(): readonly string[] {
    return this.open.length > 0 ? [] : this.ledger.complaints(this.now);
  }

  async news(): Promise<readonly Recorded[]> {
    const { operations } = this.good(await this.desk.operations(this.ledger.seq), 'operations');
    const known = this.ledger.attributed.length;
    const recorded = this.ledger.take(operations as readonly OperationJson[]);
    for (const change of this.ledger.attributed.slice(known)) this.#blurOwn(change);
    for (const change of recorded) {
      this.say(`    ${sentence(change)}`);
      await this.#fetch(change);
      this.#blurOwn(change);
    }
    return recorded;
  }

  /** A later write or rename of its own takes the place of what a session saw before; a command shows nothing. */
  #blurOwn({ author, path, fromPath, after }: Recorded): void {
    if (author?.kind !== 'agent') return;
    if (author.tool === 'Bash') {
      this.views.commanded(author.session, path, fromPath);
      return;
    }
    if (!this.views.isWhole(author.session, path, after?.id ?? '')) this.views.blur(author.session, path);
    if (fromPath !== null) this.views.blur(author.session, fromPath);
  }

  /** A text that lies between two hands was never on disk: only the store has it. */
  async #fetch({ id, before, after }: Recorded): Promise<void> {
    for (const shot of [before, after]) {
      if (
        shot === null ||
        shot.id === NOT_KNOWN ||
        this.album.bytes(shot.id) !== undefined ||
        this.forgotten.has(shot.id)
      )
        continue;
      const { status, bytes } = await this.desk.content(shot.id);
      must(
        status === 200 && this.album.keep(bytes) === shot.id,
        6,
        () => `${shot.id} of ${id} cannot be read: ${status}`,
      );
    }
  }

  /** The covered text files that are there. */
  files(): readonly string[] {
    return [...this.now.files]
      .filter(([path, shot]) => isCovered(path, shot) && shot.mode !== '120000')
      .map(([path]) => path);
  }

  #remember(photograph: Photograph): void {
    const places = new Map<string, string[]>();
    for (const [path, { id, mode }] of photograph.files) {
      if (mode === 'special' || mode === 'unreadable') continue;
      const list = this.versions.get(path) ?? [];
      if (list.at(-1) !== id) this.versions.set(path, [...list.slice(-VERSIONS), id]);
      for (const token of this.tokensOf(id)) {
        const others = places.get(token) ?? [];
        if (others.some((other) => other !== path)) this.moved.add(token);
        places.set(token, [...others, path]);
        // Somebody brought back what was gone.
        if (this.#ever.has(token) && !this.#there.has(token) && this.#deeds.length > 0) this.moved.add(token);
        this.#ever.add(token);
      }
    }
    this.#there = places;
    for (const [token, [first, ...others]] of places) {
      const home = this.#homes.get(token);
      if (home !== first && !others.includes(home ?? '')) this.#homes.set(token, first!);
    }
  }

  /** Whether the line stands there beside the place where it was first seen: then it was not written there. */
  isCopy(token: string, path: string): boolean {
    const home = this.#homes.get(token);
    return home !== path && this.#there.get(token)?.includes(home ?? '') === true;
  }
}

const VERSIONS = 12;
const FAULTS = new Set(['internal', 'io', 'damaged', 'not-written', 'busy', 'closed', 'no-space']);

function sentence({ id, kind, path, fromPath, before, after, author, cause }: Recorded): string {
  const who = author?.kind === 'agent' ? `${author.session} ${author.call}` : (author?.kind ?? kind);
  const from = fromPath === null ? '' : `${fromPath} -> `;
  const versions = `${before?.id.slice(0, 7) ?? 'nothing'} -> ${after?.id.slice(0, 7) ?? 'nothing'}`;
  return `${id} ${from}${path} ${versions} by ${who}${cause === null ? '' : ` (${cause})`}`;
}
