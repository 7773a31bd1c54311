import type { Circumstance, ContentId, FileVersion, Link, WorkspacePath } from '@palimpsest/core';
import type { FileState } from '../log/log.js';
import { type KnownTree, unproven } from '../store/known-tree.js';
import { nameOnlyState } from '../store/unread.js';
import type { Watch } from '../watch/watch.js';
import { type CallPlan, plannedWrite } from './call-plan.js';
import { type Claims, type Scene, type Suspect, withInodes } from './claims.js';
import { HeldLinks } from './held-links.js';
import { linksOfMove, type Moved, movesAmong, ofOneHand } from './moved.js';
import { nameBelow, nameIfThere } from './naming.js';
import type { Observation, Observer } from './observer.js';
import type { Opening } from './opening.js';
import type { Rescan } from './rescan.js';
import { Stretches } from './stretches.js';

/** What is being looked at the world for. */
export type Look = {
  /** Calls that were open since the last look, with what is known of the end of each. */
  readonly suspects: readonly Suspect[];
  /** Paths to look at whatever the watcher says: those that the call in question names. */
  readonly named: Iterable<WorkspacePath>;
  readonly circumstance: Circumstance;
  /** Nobody waits for it: what looks like being in the middle of a write may be left to a later look. */
  readonly unhurried?: true;
  /** A person says that they saved, moved or removed this file. */
  readonly saved?: WorkspacePath;
  /** One of the suspects, of which only now is heard: what is held was judged without it. */
  readonly late?: Suspect;
};

export type CaptureParts = {
  readonly watch: Watch;
  readonly observer: Observer;
  readonly claims: Claims;
  readonly known: KnownTree;
  readonly rescan: Rescan;
  readonly opening: Opening;
};

/** What is needed to judge whose doing a change is. */
export type Judging = Pick<Look, 'suspects' | 'circumstance' | 'unhurried' | 'saved'>;

/** For how long a file that was emptied may be on its way to be written. */
const EMPTIED_MS = 1_000;

/**
 * From hints to links. Between two looks the set of open calls does not change, because every begin and every end of a
 * call is a look; so each change that is found belongs to a known set of suspects.
 *
 * What a still running call did is held back, since it may go on writing: many writes of one call to one file are one
 * change. A file that a running call is to write in a known way is not even judged until that call has ended. Everything
 * else is ready to be recorded at once.
 */
export class Capture {
  readonly #watch: Watch;
  readonly #observer: Observer;
  readonly #claims: Claims;
  readonly #known: KnownTree;
  readonly #rescan: Rescan;
  readonly #opening: Opening;
  /** What was judged and is not recorded yet. */
  readonly held: HeldLinks;
  readonly #stretches: Stretches;
  /** Files that were found empty by an unhurried look, and since when. */
  readonly #emptied = new Map<WorkspacePath, number>();
  /** A scan was asked for and could not be made: until one is, hints alone are not enough. */
  #owesScan = false;
  /** What is older than the last look, or than the first one can be, was not made since. */
  #settledAtMs = Date.now();

  constructor(parts: CaptureParts) {
    this.#watch = parts.watch;
    this.#observer = parts.observer;
    this.#claims = parts.claims;
    this.#known = parts.known;
    this.#rescan = parts.rescan;
    this.#opening = parts.opening;
    this.held = new HeldLinks(parts.claims, parts.known);
    this.#stretches = new Stretches(parts.claims);
  }

  get #naming() {
    return { known: this.#known, opening: this.#opening };
  }

  async look(look: Look): Promise<void> {
    if (look.late !== undefined) this.#stretches.suspect(look.late);
    const awaited = [...this.#observer.takeAwaited(), ...this.#emptied.keys()];
    const intoView = new Set<WorkspacePath>();
    const candidates = new Set<WorkspacePath>([...look.named, ...awaited, ...(await this.#hinted(intoView))]);
    const lost = this.#observer.missingUnread(candidates);
    // Where they went was hinted by now, if they went anywhere.
    if (lost.size > 0) for (const path of await this.#hinted(intoView)) candidates.add(path);
    await this.lookAt(candidates, look, intoView, lost);
    if (look.late !== undefined) await this.held.reconsider(look.late, look.suspects);
    if (look.saved !== undefined && !this.#stretches.contest(look.saved)) this.held.contest(look.saved);
  }

  /** Every path that may have changed since this was last asked. `intoView` is told what was merely left out until now. */
  async #hinted(intoView: Set<WorkspacePath>): Promise<ReadonlySet<WorkspacePath>> {
    const sinceMs = this.#settledAtMs;
    this.#settledAtMs = Date.now();
    const { hints } = await this.#watch.settle();
    if (hints === 'rescan' || this.#owesScan) {
      const suspicious = await this.#rescan.suspicious(sinceMs);
      this.#owesScan = suspicious === null;
      if (suspicious !== null) this.#opening.sawRules(suspicious.rulesTouchedAt);
      for (const path of suspicious?.intoView ?? []) intoView.add(path);
      const left = this.#observer.leave(suspicious?.outOfView ?? []);
      for (const path of left) this.#rescan.settles(path);
      return new Set([...(suspicious?.paths ?? [])].filter((path) => !left.has(path)));
    }
    if (this.#opening.names !== null) nameBelow(hints, this.#rescan.coverage, this.#naming);
    return new Set([...hints, ...this.#known.atOrBelow(hints)]);
  }

  /**
   * `adopted`: files that only now came into view. They are known from here on, and nobody's change. `lost`: files that
   * were not read and are not there, and whose new names, if they have any, are among the paths.
   */
  async lookAt(
    paths: Iterable<WorkspacePath>,
    look: Judging,
    adopted: ReadonlySet<WorkspacePath> = new Set(),
    lost: ReadonlySet<WorkspacePath> = new Set(),
  ): Promise<void> {
    const wanted = new Set(paths);
    // Before a first open has named all files, what is looked at may have been there: then it is no new one.
    if (this.#opening.names !== null) for (const path of wanted) nameIfThere(path, this.#rescan.coverage, this.#naming);
    try {
      const observations = this.#withoutEmptied(await this.#observer.look(wanted, lost), wanted, look);
      await this.#sort(observations, look, adopted);
    } catch (error) {
      // The hints are used up, and what they led to was not taken in: only a scan finds it again.
      this.#owesScan = true;
      throw error;
    }
    for (const path of wanted) if (!this.#known.unread.has(path)) this.#opening.sawNow(path);
  }

  /** Hints alone are not enough: the next look goes through the whole tree. */
  oweScan(): void {
    this.#owesScan = true;
  }

  /** Whether something is waiting for another look a moment later. */
  get isWaiting(): boolean {
    return this.#emptied.size > 0;
  }

  /**
   * Editors empty a file and write it a moment later. Where nobody waits and no call runs, an emptied file is left for
   * another look, unless it has been empty for a while: the state in between is nobody's work.
   */
  #withoutEmptied(
    observations: readonly Observation[],
    wanted: ReadonlySet<WorkspacePath>,
    { unhurried, suspects }: Judging,
  ): readonly Observation[] {
    const mayWait = unhurried === true && suspects.every(({ ran }) => ran === 'perhaps');
    const now = performance.now();
    const since = new Map(this.#emptied);
    for (const path of wanted) this.#emptied.delete(path);
    const waiting = observations.filter(
      ({ path, before, after }) =>
        mayWait &&
        after?.size === 0 &&
        before !== null &&
        before.size > 0 &&
        now - (since.get(path) ?? now) < EMPTIED_MS,
    );
    if (waiting.length === 0) return observations;
    for (const { path } of waiting) this.#emptied.set(path, since.get(path) ?? now);
    this.#observer.unsee(waiting);
    return observations.filter((observation) => !waiting.includes(observation));
  }

  async #sort(observations: readonly Observation[], look: Judging, adopted: ReadonlySet<WorkspacePath>): Promise<void> {
    const changes: Observation[] = [];
    try {
      for (const observation of observations) {
        if (adopted.has(observation.path) || this.#opening.precedes(observation)) this.#observer.adopt(observation);
        else if (this.#opening.isUncertain(observation))
          changes.push({ ...observation, before: nameOnlyState(observation.path) });
        else changes.push(observation);
      }
      for (const { path } of changes) this.#rescan.settles(path);
      await this.#take(await this.#observer.verify(changes), look);
    } catch (error) {
      this.#observer.unsee(observations);
      throw error;
    }
  }

  /** Judges what was seen of files that a call was to write which has ended by now. `suspects`: with what is known of ends. */
  async judge(open: readonly CallPlan[], suspects: readonly Suspect[]): Promise<void> {
    // A call that moves a file found it as it was before what is held.
    const held = new Map(this.heldVersions());
    const contentBefore = (path: WorkspacePath) => (held.get(path) ?? this.#known.get(path))?.content ?? null;
    for (const link of await this.#stretches.judge(open, suspects, contentBefore)) this.held.extend(link);
  }

  /** Whether a change of this file was seen and not yet recorded: what is known of it is ahead of the log. */
  holds(path: WorkspacePath): boolean {
    return this.held.has(path) || this.#stretches.has(path);
  }

  /** What the log stands for: the known files, with those that are ahead of it as they were. */
  *recorded(): Generator<FileState> {
    for (const state of this.#known.states()) if (!this.holds(state.path)) yield state;
    for (const [path, before] of this.heldVersions()) if (before !== null) yield unproven(path, before);
  }

  /** What files held that are ahead of the log. */
  *heldVersions(): Generator<readonly [WorkspacePath, FileVersion | null]> {
    yield* this.held.beginnings();
    for (const [path, before] of this.#stretches.beginnings()) if (!this.held.has(path)) yield [path, before];
  }

  /** Contents that were seen and that the log does not name yet. */
  *heldContents(): Generator<ContentId> {
    yield* this.held.contents();
    yield* this.#stretches.contents();
  }

  async #take(observations: readonly Observation[], look: Judging): Promise<void> {
    const moved = new Set<WorkspacePath>();
    const before = new Map(observations.map((observation) => [observation.path, observation.before?.content ?? null]));
    const contentBefore = (path: WorkspacePath) => before.get(path) ?? this.#known.get(path)?.content ?? null;
    const links: Link[] = [];
    const deferred: (() => void)[] = [];
    const moves = movesAmong(observations);
    const saved = savedIn(look.saved, moves);
    const sceneAt = (path: WorkspacePath): Scene => {
      if (saved.has(path)) return { ...savedScene(path, look.suspects), contentBefore };
      const asUsual = look.circumstance === this.#opening.circumstance;
      const circumstance = asUsual ? this.#opening.circumstanceOf(path) : look.circumstance;
      return { suspects: look.suspects, circumstance, contentBefore };
    };
    const inMoves = new Set<WorkspacePath>();
    const ofMoves: Link[] = [];
    for (const move of moves) {
      const found = this.#stretches.takes(move.to, look.suspects)
        ? null
        : await linksOfMove(move, this.#claims, sceneAt, (path) => this.held.of(path));
      if (found === null) continue;
      ofMoves.push(...found);
      inMoves.add(move.from.path).add(move.to.path);
    }
    for (const path of await this.#movedAway(observations, look.suspects, inMoves)) {
      links.push(...(await this.#stretches.linksSoFar(path, contentBefore)));
      deferred.push(() => this.#stretches.drop(path));
      moved.add(path);
    }
    links.push(...ofMoves);
    const judged: Link[] = [];
    for (const observation of observations) {
      if (inMoves.has(observation.path)) continue;
      const scene = sceneAt(observation.path);
      if (!moved.has(observation.path) && this.#stretches.takes(observation, look.suspects))
        deferred.push(() => this.#stretches.add(observation, scene));
      else judged.push(...withInodes(await this.#claims.linksOf(observation, scene), observation));
    }
    links.push(...ofOneHand(judged, observations));
    // All of them or, when something failed on the way, none: what is held ends where what is known begins.
    for (const link of links) this.held.extend(link);
    for (const add of deferred) add();
  }

  /** What vanished here and appeared elsewhere was not on its way to be written: it has another name now. */
  async #movedAway(
    observations: readonly Observation[],
    suspects: readonly Suspect[],
    inMoves: ReadonlySet<WorkspacePath>,
  ): Promise<readonly WorkspacePath[]> {
    const gone = observations.filter((one) => one.after === null && this.#stretches.takes(one, suspects));
    if (gone.length === 0) return [];
    const left = await this.#claims.leftNames(observations);
    return gone.map(({ path }) => path).filter((path) => inMoves.has(path) || left.has(path));
  }
}

/** A person who moved a file may have told of one of its names alone. */
function savedIn(saved: WorkspacePath | undefined, moves: readonly Moved[]): ReadonlySet<WorkspacePath> {
  if (saved === undefined) return new Set();
  const ends = moves.map(({ from, to }) => [from.path, to.path]).filter((paths) => paths.includes(saved));
  return new Set([saved, ...ends.flat()]);
}

/** A running call that names the same file may have written it just before, or may not: a proof alone tells. */
function savedScene(path: WorkspacePath, suspects: readonly Suspect[]): Pick<Scene, 'suspects' | 'circumstance'> {
  const rivals = suspects.filter(({ plan, ran }) => ran === undefined && plannedWrite(plan, path) !== undefined);
  return { suspects: rivals.map((rival) => ({ ...rival, ran: 'perhaps' })), circumstance: 'live' };
}
