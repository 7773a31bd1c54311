import {
  type Agreement,
  type ApartFile,
  type FlowConflict,
  type Flowed,
  isSame,
  type Located,
  outerSessions,
  type PlaceId,
  type Side,
  sameVersion,
  type WorkspacePath,
  type WorktreeState,
} from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import { canWrite } from '../look/call-plan.js';
import type { OpenPlace } from '../place/place.js';
import type { Places } from '../place/places.js';
import type { Desk } from '../review/desk.js';
import { isOpen } from '../review/meant.js';
import { versionOf } from '../store/known-tree.js';
import type { LiveLog } from '../store/live-log.js';
import { acceptedOf } from './accepted.js';
import { cameTo } from './came-to.js';
import { type Landing, landingsOn } from './landing.js';
import { Radar } from './radar.js';

export type FlowsParts = {
  readonly live: LiveLog;
  readonly content: ContentStore;
  readonly places: Places;
  /** What a verdict works with in a place. */
  readonly deskAt: (place: PlaceId) => Desk;
  /** Whether a file is none that people share: then it stays where it is. */
  readonly isIgnored: (path: WorkspacePath) => Promise<boolean>;
  readonly remark: (line: string) => void;
};

/** A file that may flow, by what the worktree calls it, or called it last. */
type Moving = { readonly apart: ApartFile; readonly name: WorkspacePath };

/** What both sides come to agree on, of one file. */
type Agreed = { readonly apart: ApartFile; readonly agreement: Agreement };

/** What is to be written on one side, and said of it. */
type Plan = {
  readonly landings: readonly Landing[];
  readonly agreed: readonly Agreed[];
  readonly conflicts: readonly FlowConflict[];
};
type Planned = { readonly [Key in keyof Plan]: Plan[Key][number][] };

/** All that it names is in the store. */
type Course =
  | {
      readonly kind: 'flows';
      readonly left: Located | null;
      readonly here: Located | null;
      readonly there: Located | null;
    }
  | { readonly kind: 'conflict'; readonly reason: string };

function leaving(file: Located | null) {
  return { kind: 'file', file, bytes: null } as const;
}

const NAME_TAKEN = 'another file has its name there';

/**
 * Carries files from one place to another, as the view of worktrees and `planFlow` say. Runs inside the workspace's queue,
 * after a look at both sides; what cannot be written now is found again the next time.
 */
export class Flows {
  readonly #parts: FlowsParts;
  readonly radar: Radar;

  constructor(parts: FlowsParts) {
    this.#parts = parts;
    this.radar = new Radar(parts.live, parts.content);
  }

  /** All that may flow now. Answers what was written in the workspace itself, each with whether it is there afterwards. */
  async run(): Promise<ReadonlyMap<WorkspacePath, 'there' | 'gone'>> {
    const { live } = this.#parts;
    const since = live.log.last;
    for (const worktree of live.views.worktrees.live.values()) await this.#flow(worktree);
    await this.radar.look();
    const written = new Map<WorkspacePath, 'there' | 'gone'>();
    if (live.log.last === since) return written;
    for (const operation of live.log.find({ kinds: ['flowed'], since })) {
      if (operation.kind !== 'flowed' || operation.place !== undefined) continue;
      for (const { path, fromPath, after } of operation.files) {
        if (fromPath !== undefined) written.set(fromPath, 'gone');
        written.set(path, after === null ? 'gone' : 'there');
      }
    }
    return written;
  }

  async #flow(worktree: WorktreeState): Promise<void> {
    const there = this.#parts.places.at(worktree.place);
    if (there === null || (worktree.mode === 'auto' && worktree.apart.files.length === 0)) return;
    if (isVanishing(worktree, there)) {
      this.#parts.remark(`most files of the worktree ${worktree.path} are gone; nothing flows from it or to it`);
      return;
    }
    const isBusy = this.#isBusy(there);
    const desk = isHeldBack(worktree) ? this.#parts.deskAt(worktree.place) : null;
    const out: Planned = { landings: [], agreed: [], conflicts: [] };
    const into: Landing[] = [];
    for (const moving of await this.#movable(worktree, there)) {
      const { apart } = moving;
      const course = await this.#courseOf(moving, worktree, desk);
      if (course === null) continue;
      if (course.kind === 'conflict') {
        out.conflicts.push(conflictOf(apart, course.reason));
        continue;
      }
      const { left, here, there: next } = course;
      if (!isSame(apart.here, here)) out.landings.push({ apart, file: here });
      if (!isSame(apart.base, left))
        out.agreed.push({
          apart,
          agreement: { here: here?.path ?? null, there: apart.there?.path ?? null, base: left },
        });
      if (!isSame(apart.there, next) && !isBusy) into.push({ apart, file: next });
    }
    await this.#land('here', worktree, out);
    // What did not come to the workspace just now must not be told to the worktree.
    const failed = out.landings.filter((one) => !this.#is(one));
    const arrived = into.filter(({ apart }) => !failed.some((one) => one.apart === apart));
    await this.#land('there', worktree, { landings: this.#asNow(worktree, arrived), agreed: [], conflicts: [] });
    if (desk !== null && into.length > 0)
      await this.#restAnew(worktree, there, new Set(failed.map(({ apart }) => nameOf(apart))));
  }

  /** What may leave the worktree, what the workspace holds with that, and what the worktree holds then. */
  async #courseOf(moving: Moving, worktree: WorktreeState, desk: Desk | null): Promise<Course | null> {
    const { content } = this.#parts;
    const { apart } = moving;
    const accepted = desk === null ? leaving(apart.there) : await acceptedOf(desk, worktree, moving);
    if (accepted.kind === 'waits' && accepted.why === null) return null;
    // What cannot be told apart does not leave; what the workspace holds can come all the same.
    const left = accepted.kind === 'file' ? accepted : leaving(apart.base);
    if (left.bytes !== null) await content.put(left.bytes);
    const here = await cameTo({ base: apart.base, here: apart.here, there: left.file }, content);
    if (here.kind === 'conflict') return here;
    if (here.bytes !== null) await content.put(here.bytes);
    const there = await cameTo({ base: left.file, here: here.file, there: apart.there }, content);
    if (there.kind === 'conflict') return there;
    if (there.bytes !== null) await content.put(there.bytes);
    return { kind: 'flows', left: left.file, here: here.file, there: there.file };
  }

  /** What came into the worktree is no part that waits, so it may leave it again; not so what is behind in the workspace. */
  async #restAnew(worktree: WorktreeState, there: OpenPlace, behind: ReadonlySet<WorkspacePath>): Promise<void> {
    const desk = this.#parts.deskAt(worktree.place);
    const agreed: Agreed[] = [];
    for (const moving of await this.#movable(worktree, there)) {
      const { apart } = moving;
      if (behind.has(moving.name)) continue;
      const accepted = await acceptedOf(desk, worktree, moving);
      if (accepted.kind !== 'file' || isSame(apart.base, accepted.file)) continue;
      if (accepted.bytes !== null) await this.#parts.content.put(accepted.bytes);
      const agreement = { here: apart.here?.path ?? null, there: apart.there?.path ?? null, base: accepted.file };
      agreed.push({ apart, agreement });
    }
    await this.#land('here', worktree, { landings: [], agreed, conflicts: [] });
  }

  /** Whether the workspace holds what it was to hold. */
  #is({ file, apart }: Landing): boolean {
    const { known } = this.#parts.places.main;
    const path = file?.path ?? apart.here?.path;
    return path === undefined || sameVersion(versionOf(known.get(path)), file?.version ?? null);
  }

  /** The same files as the log has them after the workspace was written. */
  #asNow({ apart: all }: WorktreeState, landings: readonly Landing[]): readonly Landing[] {
    return landings.flatMap((landing) => {
      const { here, there } = landing.apart;
      const now =
        (there === null ? undefined : all.at('there', there.path)) ??
        all.find({ here: here?.path ?? null, there: null });
      const file = landing.file === null ? undefined : all.at('here', landing.file.path);
      const apart = now ?? file;
      return apart === undefined ? [] : [{ ...landing, apart }];
    });
  }

  /** Files of which nobody is in the middle of anything, and that are as the log says on both sides. */
  async #movable(worktree: WorktreeState, there: OpenPlace): Promise<readonly Moving[]> {
    const { main } = this.#parts.places;
    const stuck = [...worktree.conflicts.values()].map((pair) => worktree.apart.find(pair));
    const files = worktree.apart.files.map((apart) => ({
      apart,
      name: nameOf(apart),
    }));
    const movable: Moving[] = [];
    for (const moving of [...files, ...this.#undecided(worktree, there)]) {
      const { apart, name } = moving;
      if (stuck.includes(apart) || !isKnown(apart, 'here', main) || !isKnown(apart, 'there', there)) continue;
      const paths = new Set([name, ...[apart.here, apart.there, apart.base].flatMap((file) => file?.path ?? [])]);
      if ((await Promise.all([...paths].map((path) => this.#parts.isIgnored(path)))).includes(true)) continue;
      movable.push(moving);
    }
    return movable;
  }

  /** Files that are the same on both sides, though some of what is there waits for a verdict: one that was taken back. */
  #undecided({ apart, place, mode }: WorktreeState, there: OpenPlace): readonly Moving[] {
    if (mode !== 'review') return [];
    const { entries } = this.#parts.live.views.review;
    const open = [...entries.values()].filter((entry) => entry.place === place && isOpen(entry));
    const paths = new Set(open.map(({ path }) => path));
    return [...paths].flatMap((path) => {
      if (apart.at('there', path) !== undefined || apart.at('here', path) !== undefined) return [];
      const version = versionOf(there.known.get(path));
      const both = version === null ? null : { path, version };
      return [{ apart: { base: both, here: both, there: both }, name: path }];
    });
  }

  /** Together, or one by one where somebody is in the way of one of them. */
  async #land(side: Side, worktree: WorktreeState, { landings, agreed, conflicts }: Plan): Promise<void> {
    if (landings.length + agreed.length + conflicts.length === 0) return;
    const { places, remark } = this.#parts;
    const there = places.at(worktree.place)!;
    const [to, from] = side === 'here' ? [places.main, there] : [there, places.main];
    const { writes, taken } = landingsOn(side, landings, to, from);
    const met = [...conflicts, ...taken.map(({ apart }) => conflictOf(apart, NAME_TAKEN))];
    const settled = agreed.filter(({ apart }) => !taken.some((one) => one.apart === apart));
    if (writes.length + settled.length + met.length === 0) return;
    const body: Flowed = {
      ...{ kind: 'flowed', worktree: worktree.place, files: [] },
      ...(settled.length === 0 ? {} : { agreed: settled.map(({ agreement }) => agreement) }),
      ...(met.length === 0 ? {} : { conflicts: met }),
    };
    const written = await to.writer.apply(writes, body);
    if (written.ok) return;
    const files = new Set(landings.map(({ apart }) => apart));
    if (files.size > 1) {
      const others = agreed.filter(({ apart }) => !files.has(apart));
      for (const apart of files)
        await this.#land(side, worktree, {
          landings: landings.filter((one) => one.apart === apart),
          agreed: agreed.filter((one) => one.apart === apart),
          conflicts: [],
        });
      await this.#land(side, worktree, { landings: [], agreed: others, conflicts });
      return;
    }
    // Somebody has just written it: it is looked at, and flows with what they wrote.
    if (written.error.code !== 'moved')
      remark(`${writes.map(({ path }) => path).join(', ')} could not be brought to ${to.root}: ${written.error.code}`);
    await this.#land(side, worktree, { landings: [], agreed: [], conflicts: met });
  }

  /** Whether a call is running there that may write: a session that runs within another one's call acts for it. */
  #isBusy({ tracker }: OpenPlace): boolean {
    const { sessions } = this.#parts.live.views;
    const running = tracker.openPlans().filter(canWrite);
    if (running.length === 0) return false;
    const active = [...sessions.sessions.values()].filter(({ state }) => state === 'active');
    const around = new Set(active.flatMap(({ id }) => outerSessions(sessions, id)));
    return running.some(({ session }) => !around.has(session));
  }
}

/** Whether not all that is in it may leave it. */
export function isHeldBack({ mode, unwatched }: WorktreeState): boolean {
  return mode === 'review' || unwatched.size > 0;
}

function isKnown(apart: ApartFile, side: Side, { known, capture }: OpenPlace): boolean {
  const file = apart[side];
  // A name that it may come to must not be in the middle of something either.
  const names = new Set([apart.here, apart.there, apart.base].flatMap((each) => each?.path ?? []));
  if ([...names].some((path) => capture.holds(path) || known.unread.has(path))) return false;
  return file === null || sameVersion(versionOf(known.get(file.path)), file.version);
}

/** Somebody removes a worktree by hand, and is not done: that its files go is no wish about the workspace's. */
function isVanishing({ apart }: WorktreeState, { known }: OpenPlace): boolean {
  const gone = apart.files.filter(({ base, there }) => base !== null && there === null).length;
  return gone >= VANISHING_FILES && gone > known.size;
}

const VANISHING_FILES = 10;

function conflictOf({ base, here, there }: ApartFile, reason: string): FlowConflict {
  return {
    ...{ here: here?.path ?? null, there: there?.path ?? null },
    ...{ base: base?.version ?? null, ours: here?.version ?? null, theirs: there?.version ?? null, reason },
  };
}

/** By what the worktree calls it, or called it last. */
function nameOf({ here, there, base }: ApartFile): WorkspacePath {
  return (there ?? base ?? here)!.path;
}
