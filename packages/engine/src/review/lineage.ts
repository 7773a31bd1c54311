import {
  type ChangeId,
  changeId,
  FILE_KINDS,
  type FileChange,
  filesAt,
  followMoves,
  type Operation,
  type PlaceId,
  placeOf,
  type Seq,
  type Switched,
  seqOfChange,
  Weave,
  type WorkspacePath,
} from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import type { Log } from '../log/log.js';
import { measure } from '../store/measure.js';

/** One step in the life of a file, under whatever name it had then. */
export type Step = {
  readonly id: ChangeId;
  readonly operation: Operation;
  /** Null for a decision about the file that left it as it was. */
  readonly file: FileChange | null;
  readonly switched: Switched | null;
};

export type Lineage = {
  /** Oldest first; the file goes by its present name after the last. */
  readonly steps: readonly Step[];
  /** Null when the recorded spans do not fit the recorded versions. */
  readonly weave: Weave | null;
};

/** A life that was followed before, and how far. */
type Followed = Lineage & { readonly since: number; readonly upTo: Seq | 0 };

const FOLLOWED_FILES = 16;

/** The files last reviewed, so that deciding hunk after hunk does not read the same history again and again. */
export class FollowedFiles {
  readonly #files = new Map<WorkspacePath, Followed>();

  take(path: WorkspacePath): Followed | null {
    const found = this.#files.get(path) ?? null;
    this.#files.delete(path);
    return found;
  }

  put(path: WorkspacePath, followed: Followed): void {
    this.#files.delete(path);
    this.#files.set(path, followed);
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= FOLLOWED_FILES) return;
      this.#files.delete(oldest);
    }
  }
}

/** From here on one pass over the log is cheaper than asking for each path. */
const PASS_PATHS = 16;
/** A pass reads everything since the oldest change; this many operations per path make up for asking. */
const PASS_OPERATIONS_PER_PATH = 200;
const PASS_CHUNK = 5_000;

/** All operations since some place in the log, by the paths that they are about. */
type Pass = { readonly since: number; readonly byPath: ReadonlyMap<WorkspacePath, readonly Operation[]> };

/**
 * Follows files back through the log, also under their former names. One instance serves one command: what it read of
 * the log is not read again.
 */
export class Lineages {
  readonly #log: Log;
  readonly #content: ContentStore;
  readonly #followed: FollowedFiles;
  readonly #place: PlaceId | null;
  #pass: Pass | null = null;
  /** How far back it is worth while to read everything at once. */
  #oldest = Number.POSITIVE_INFINITY;

  /** `place`: whose files these are; those of another place have a life of their own. */
  constructor(log: Log, content: ContentStore, followed: FollowedFiles, place: PlaceId | null) {
    this.#log = log;
    this.#content = content;
    this.#followed = followed;
    this.#place = place;
  }

  /** Reads the log once for many paths, if that is the shorter way. */
  prepare(paths: number, since: Seq): void {
    if (paths < PASS_PATHS) return;
    this.#oldest = this.#log.last - paths * PASS_OPERATIONS_PER_PATH;
    this.#reach(since);
  }

  /** What was read at once, if it goes back so far or can be made to; further than asked for, not to begin again at each file. */
  #reach(since: number): Pass | null {
    const { last } = this.#log;
    if (since < this.#oldest) return null;
    if (this.#pass !== null && this.#pass.since <= since) return this.#pass;
    const twice = this.#pass === null ? since : last - 2 * (last - this.#pass.since);
    const from = Math.max(1, this.#oldest, Math.min(since, twice)) as Seq;
    this.#pass = { since: from, byPath: this.#readFrom(from) };
    return this.#pass;
  }

  #readFrom(since: Seq): Map<WorkspacePath, Operation[]> {
    const byPath = new Map<WorkspacePath, Operation[]>();
    const add = (path: WorkspacePath, operation: Operation) => {
      const known = byPath.get(path);
      if (known === undefined) byPath.set(path, [operation]);
      else if (known.at(-1) !== operation) known.push(operation);
    };
    let at = (since - 1) as Seq | 0;
    for (;;) {
      const operations = this.#log.read(at, PASS_CHUNK);
      for (const operation of operations) {
        if (placeOf(operation) !== this.#place) continue;
        for (const { path, fromPath } of filesAt(operation, this.#place)) {
          add(path, operation);
          if (fromPath !== undefined) add(fromPath, operation);
        }
        for (const path of switchedIn(operation)?.unchanged ?? []) add(path, operation);
      }
      if (operations.length < PASS_CHUNK) return byPath;
      at = operations.at(-1)!.seq;
    }
  }

  /** The life of the file that is now at `path`, at least since `since`. The weave may be shared: it is for reading. */
  async of(path: WorkspacePath, since: Seq | 1): Promise<Lineage> {
    const upTo = this.#log.last;
    const lineage = (await this.#continued(path, since)) ?? (await this.fresh(path, since));
    if (this.#pass === null) this.#followed.put(path, { ...lineage, since, upTo });
    return lineage;
  }

  /** Adds what happened since the file was last followed; null where that is not all there is to it. */
  async #continued(path: WorkspacePath, since: number): Promise<Lineage | null> {
    const known = this.#followed.take(path);
    if (known === null || known.weave === null || known.since > since) return null;
    const { steps: news, ended } = this.#stepsUnder(path, known.upTo + 1, null);
    if (ended || news.some(({ file, switched }) => file?.fromPath !== undefined || oldestIn(switched) < known.since))
      return null;
    const steps = [...known.steps, ...news.reverse()];
    return { steps, weave: await this.#weaveOf(news, known.weave) };
  }

  async fresh(path: WorkspacePath, since: Seq | 1): Promise<Lineage> {
    let from: number = since;
    for (;;) {
      const steps = this.#stepsBack(path, from).reverse();
      const needed = Math.min(from, ...steps.map(({ switched }) => oldestIn(switched)));
      if (needed >= from) return { steps, weave: await this.#weaveOf(steps, new Weave()) };
      from = needed;
    }
  }

  /** The whole life of the file that was at `path` until then. */
  async before(path: WorkspacePath, seq: Seq): Promise<Lineage> {
    const steps = this.#stepsBack(path, 1, seq).reverse();
    return { steps, weave: await this.#weaveOf(steps, new Weave()) };
  }

  #stepsBack(path: WorkspacePath, since: number, until: Seq | null = null): Step[] {
    const steps: Step[] = [];
    let name: WorkspacePath | null = path;
    let before: Seq | null = until;
    while (name !== null) {
      const under = this.#stepsUnder(name, since, before);
      steps.push(...under.steps);
      before = steps.at(-1)?.operation.seq ?? before;
      name = under.ended ? null : (under.steps.at(-1)?.file?.fromPath ?? null);
    }
    return steps;
  }

  /** Back to where the file got its name, or where the name was another file's: then its life has `ended` there. */
  #stepsUnder(
    name: WorkspacePath,
    since: number,
    before: Seq | null,
  ): { readonly steps: Step[]; readonly ended: boolean } {
    const steps: Step[] = [];
    for (const operation of this.#newestFirst(name, since, before)) {
      const files = followMoves(operation, this.#place);
      const index = files.findIndex((file) => file?.path === name);
      if (index < 0 && files.some((file) => file?.fromPath === name)) return { steps, ended: true };
      const file = files[index] ?? null;
      steps.push({ id: changeId(operation.seq, index), operation, file, switched: switchedIn(operation) });
      if (file?.fromPath !== undefined) return { steps, ended: false };
    }
    return { steps, ended: false };
  }

  #newestFirst(path: WorkspacePath, since: number, before: Seq | null): readonly Operation[] {
    const pass = this.#reach(since);
    if (pass !== null) {
      const known = pass.byPath.get(path) ?? [];
      return known.filter(({ seq }) => seq >= since && (before === null || seq < before)).reverse();
    }
    const found = this.#log.find({
      path,
      kinds: FILE_KINDS,
      since: (since - 1) as Seq | 0,
      ...(before === null ? {} : { before }),
      newestFirst: true,
    });
    return found.filter((operation) => placeOf(operation) === this.#place);
  }

  async #weaveOf(steps: readonly Step[], weave: Weave): Promise<Weave | null> {
    try {
      for (const { id, file, switched } of steps) {
        const measured = file === null || isMeasured(file) ? file : await this.#measured(file);
        if (switched !== null) weave.switch(id, switched, measured);
        else if (measured !== null) weave.edit(id, measured);
      }
      return weave;
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
  }

  /** Very large recordings leave measuring to whoever looks. */
  async #measured(file: FileChange): Promise<FileChange> {
    return { ...file, ...(await measure(this.#content, file.before, file.after)) };
  }
}

function isMeasured(file: FileChange): boolean {
  return file.spans.length > 0 || file.binary || !file.reversible || file.before?.content === file.after?.content;
}

function switchedIn(operation: Operation): Switched | null {
  return 'switched' in operation ? (operation.switched ?? null) : null;
}

function oldestIn(switched: Switched | null): number {
  if (switched === null) return Number.POSITIVE_INFINITY;
  let oldest = Number.POSITIVE_INFINITY;
  for (const id of switched.whole) oldest = Math.min(oldest, seqOfChange(id));
  for (const id of switched.parts) oldest = Math.min(oldest, seqOfChange(id as ChangeId));
  return oldest;
}
