import {
  type ApartFile,
  type ContentId,
  diffLines,
  intersectRanges,
  isBinary,
  joinRanges,
  type LineRange,
  type Seq,
  type SessionId,
  type WorkspacePath,
} from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import type { LiveLog } from '../store/live-log.js';

/** Lines that two hands have changed, each in its own place, and that will meet. A session of null is the human. */
export type Overlap = {
  readonly path: WorkspacePath;
  readonly sessions: readonly SessionId[];
  /** In the text that both began with. */
  readonly lines: readonly LineRange[];
};

type Known = Overlap & { readonly since: Seq | 0 };

/** Finds out, before anything has to merge, where the work of two worktrees will meet. */
export class Radar {
  readonly #live: LiveLog;
  readonly #content: ContentStore;
  readonly #touched = new Map<string, readonly LineRange[] | null>();
  #overlaps: readonly Known[] = [];

  constructor(live: LiveLog, content: ContentStore) {
    this.#live = live;
    this.#content = content;
  }

  get overlaps(): readonly Overlap[] {
    return this.#overlaps.map(({ path, sessions, lines }) => ({ path, sessions, lines }));
  }

  /** Those that a session is part of and has not heard of. */
  newsFor(session: SessionId, heardUpTo: Seq | 0): readonly Overlap[] {
    return this.#overlaps.filter(({ sessions, since }) => sessions.includes(session) && since > heardUpTo);
  }

  /** Inside the queue, after what may flow has flowed. */
  async look(): Promise<void> {
    const worktrees = [...this.#live.views.worktrees.live.values()];
    const found: Known[] = [];
    for (const [index, one] of worktrees.entries())
      for (const file of worktrees.length < 2 ? [] : one.apart.files)
        for (const other of worktrees.slice(index + 1)) {
          const same = other.apart.files.find(({ base }) => base !== null && base.path === file.base?.path);
          const lines = same === undefined ? [] : await this.#met(file, same);
          const path = file.base?.path;
          if (lines.length > 0 && path !== undefined)
            found.push(this.#known({ path, sessions: [one.session, other.session], lines }));
        }
    this.#overlaps = found;
  }

  #known(overlap: Overlap): Known {
    const key = keyOf(overlap);
    const since = this.#overlaps.find((earlier) => keyOf(earlier) === key)?.since ?? this.#live.log.last;
    return { ...overlap, since };
  }

  async #met(one: ApartFile, other: ApartFile): Promise<readonly LineRange[]> {
    // Where they do not rest on the same text any more, what the workspace has came between them and was merged.
    if (one.base?.version.content !== other.base?.version.content) return [];
    const [a, b] = [await this.#linesOf(one), await this.#linesOf(other)];
    return a === null || b === null ? [] : intersectRanges(a, b);
  }

  /** The lines of the base that are others there. */
  async #linesOf({ base, there }: ApartFile): Promise<readonly LineRange[] | null> {
    if (base === null || there === null) return null;
    const key = `${base.version.content} ${there.version.content}`;
    const known = this.#touched.get(key);
    if (known !== undefined) return known;
    const [before, after] = [await this.#text(base.version.content), await this.#text(there.version.content)];
    const lines =
      before === null || after === null
        ? null
        : joinRanges(
            diffLines(before, after).map(({ oldStart, oldLines }) => ({
              from: Math.max(1, oldStart),
              to: Math.max(1, oldStart) + Math.max(1, oldLines) - 1,
            })),
          );
    if (this.#touched.size > REMEMBERED) this.#touched.clear();
    this.#touched.set(key, lines);
    return lines;
  }

  async #text(id: ContentId): Promise<Uint8Array | null> {
    const found = await this.#content.get(id);
    return found.ok && !isBinary(found.value) ? found.value : null;
  }
}

const REMEMBERED = 1_000;

function keyOf({ path, sessions, lines }: Overlap): string {
  return JSON.stringify([path, sessions, lines]);
}
