import {
  type ContentId,
  failed,
  type ListedFile,
  type OpenFilesAct,
  type Outcome,
  ok,
  openFilesOf,
  openFilesOfAll,
  pathGlob,
  RECENT_FILES_LIMIT,
  type SessionId,
  type WorkspacePath,
} from '@palimpsest/core';
import type { SerialQueue } from '../basis/queue.js';
import type { Refusal } from '../basis/refusal.js';
import { sessionOf } from '../review/meant.js';
import type { KnownTree } from '../store/known-tree.js';
import type { LiveLog } from '../store/live-log.js';

/** `session`: its id, or how only that one begins; without it, all sessions are meant. */
export type OpenFilesRequest = { readonly session?: string | undefined };
export type OpenRequest = OpenFilesRequest & { readonly pin?: boolean | undefined };
export type ClearRequest = OpenFilesRequest & { readonly pins?: boolean | undefined };

/** `missing`: there is no such file now. */
export type OpenedFile = ListedFile & { readonly missing: boolean };

/** What became of a command: the files that it was about, and those that are open now. */
export type OpenFilesAnswer = {
  readonly paths: readonly WorkspacePath[];
  /** Files that were open before and had to make room. */
  readonly evicted: readonly WorkspacePath[];
  /** How many more were meant than there is room for. */
  readonly beyond: number;
  readonly files: readonly OpenedFile[];
};

/** Pins are never evicted, so there must be an end to them. */
export const PINNED_FILES_LIMIT = 200;

type Parts = {
  readonly live: LiveLog;
  readonly known: KnownTree;
  readonly queue: SerialQueue;
  readonly locate: (path: string) => Outcome<WorkspacePath, Refusal>;
  /** Looks at what is there now; a file that was not covered is from here on, because somebody named it. */
  readonly present: (path: WorkspacePath) => Promise<ContentId | null>;
};

type Answered = Promise<Outcome<OpenFilesAnswer, Refusal>>;

/** Files that are open for sessions: what the model shall have in front of it. Paths may be patterns and folders. */
export interface OpenFilesVerbs {
  list(request?: OpenFilesRequest): Outcome<readonly OpenedFile[], Refusal>;
  open(paths: readonly string[], request?: OpenRequest): Answered;
  pin(paths: readonly string[], request?: OpenFilesRequest): Answered;
  unpin(paths: readonly string[], request?: OpenFilesRequest): Answered;
  close(paths: readonly string[], request?: OpenFilesRequest): Answered;
  /** Pins stay unless they are meant too. */
  clear(request?: ClearRequest): Answered;
}

export class OpenFilesDesk implements OpenFilesVerbs {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  list({ session }: OpenFilesRequest = {}): Outcome<readonly OpenedFile[], Refusal> {
    const whose = this.#whose(session);
    return whose.ok ? ok(this.#listed(whose.value)) : whose;
  }

  open(written: readonly string[], request: OpenRequest = {}): Answered {
    return this.#parts.queue.ask(() => this.#open(written, request));
  }

  pin(written: readonly string[], request: OpenFilesRequest = {}): Answered {
    return this.open(written, { ...request, pin: true });
  }

  unpin(written: readonly string[], request: OpenFilesRequest = {}): Answered {
    return this.#parts.queue.ask(async () => this.#among(written, request, 'unpin'));
  }

  close(written: readonly string[], request: OpenFilesRequest = {}): Answered {
    return this.#parts.queue.ask(async () => this.#among(written, request, 'close'));
  }

  clear({ session, pins }: ClearRequest = {}): Answered {
    return this.#parts.queue.ask(async () => {
      const whose = this.#whose(session);
      if (!whose.ok) return whose;
      return ok(this.#set(whose.value, pins === true ? 'clear-pins-too' : 'clear', []));
    });
  }

  async #open(written: readonly string[], { session, pin = false }: OpenRequest): Answered {
    const whose = this.#whose(session);
    if (!whose.ok) return whose;
    const paths = new Set<WorkspacePath>();
    for (const one of written) {
      const meant = await this.#meant(one);
      if (!meant.ok) return meant;
      for (const path of meant.value) paths.add(path);
    }
    const pinned = this.#listed(whose.value).flatMap((file) => (file.pinned ? [file.path] : []));
    if (pin && new Set([...pinned, ...paths]).size > PINNED_FILES_LIMIT)
      return failed({ code: 'too-large', what: 'the number of pinned files', limit: PINNED_FILES_LIMIT });
    // The last one opened is the first of the list; those named first are what one wants to see first.
    const fitting = pin ? [...paths] : [...paths].slice(0, RECENT_FILES_LIMIT);
    const answer = this.#set(whose.value, pin ? 'pin' : 'open', fitting.toReversed());
    return ok({ ...answer, paths: fitting, beyond: paths.size - fitting.length });
  }

  /** Only what is open can be closed: a slip of the pen must not look as if it had worked. */
  #among(
    written: readonly string[],
    { session }: OpenFilesRequest,
    act: 'close' | 'unpin',
  ): Outcome<OpenFilesAnswer, Refusal> {
    const whose = this.#whose(session);
    if (!whose.ok) return whose;
    const open = this.#everywhere(whose.value).filter(({ pinned }) => act === 'close' || pinned);
    const paths = new Set<WorkspacePath>();
    for (const one of written) {
      const located = this.#parts.locate(one);
      if (!located.ok) return located;
      const glob = pathGlob(located.value);
      const meant = open.filter(({ path }) => path === located.value || glob?.(path) === true);
      if (meant.length === 0) return failed({ code: 'not-open', path: located.value, act });
      for (const { path } of meant) paths.add(path);
    }
    return ok(this.#set(whose.value, act, [...paths]));
  }

  /** A path, a folder or a pattern. The latter two mean covered files; a path may also be one that is not. */
  async #meant(written: string): Promise<Outcome<readonly WorkspacePath[], Refusal>> {
    const { locate, known, present } = this.#parts;
    const located = locate(written);
    if (!located.ok) return located;
    const path = located.value;
    if ((await present(path)) !== null) return ok([path]);
    const fits = pathGlob(path);
    const matching = fits === null ? known.atOrBelow([path]) : [...known.paths()].filter(fits);
    if ([...matching].length > 0) return ok([...matching].sort());
    return failed(
      fits === null ? { code: 'no-such-file', path } : { code: 'no-match', what: 'file', name: path, like: [] },
    );
  }

  #set(session: SessionId | null, act: OpenFilesAct, paths: readonly WorkspacePath[]): OpenFilesAnswer {
    const before = this.#listed(session);
    this.#parts.live.append([{ kind: 'open-files-set', session, act, paths }]);
    const files = this.#listed(session);
    const isOpening = act === 'open' || act === 'pin';
    const there = new Set(files.map(({ path }) => path));
    const evicted = isOpening ? before.flatMap(({ path }) => (there.has(path) ? [] : [path])) : [];
    return { paths, evicted, beyond: 0, files };
  }

  #listed(session: SessionId | null): readonly OpenedFile[] {
    const { openFiles } = this.#parts.live.views;
    const files = session === null ? openFilesOfAll(openFiles, this.#active()) : openFilesOf(openFiles, session);
    return files.map((file) => ({ ...file, missing: this.#parts.known.get(file.path) === null }));
  }

  /** What can be closed: for one session its own, for all also what the list has no room for. */
  #everywhere(session: SessionId | null): readonly OpenedFile[] {
    const { openFiles } = this.#parts.live.views;
    if (session !== null) return this.#listed(session).filter(({ sessions }) => sessions.includes(session));
    const sets = [...openFiles.sessions.keys(), null].flatMap((one) => openFilesOf(openFiles, one));
    return sets.map((file) => ({ ...file, missing: false }));
  }

  #active(): readonly SessionId[] {
    const { sessions } = this.#parts.live.views.sessions;
    return [...sessions.values()].flatMap(({ id, state }) => (state === 'active' ? [id] : []));
  }

  #whose(session: string | undefined): Outcome<SessionId | null, Refusal> {
    return session === undefined ? ok(null) : sessionOf(session, this.#parts.live);
  }
}
