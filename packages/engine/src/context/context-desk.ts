import {
  type AssembledContext,
  assembleContext,
  CONSERVATIVE_SCALE,
  type ContentId,
  type ContextFacts,
  canonicalTool,
  DEFAULT_CONTEXT_BUDGET,
  type FileFact,
  failed,
  type Gates,
  type GitFact,
  gatesOf,
  isBinary,
  LAST_LINE,
  type LineRange,
  type Outcome,
  ok,
  type PatchFact,
  patchesOf,
  type SessionId,
  type ShownFile,
  type TokenScale,
  uncovered,
  type WorkspacePath,
  withFound,
} from '@palimpsest/core';
import type { SerialQueue } from '../basis/queue.js';
import type { Refusal } from '../basis/refusal.js';
import type { ContextSettings } from '../basis/settings.js';
import { noticesFor } from '../call/notices.js';
import { presentSight } from '../call/present-sight.js';
import type { FileState } from '../log/log.js';
import { sessionOf } from '../review/meant.js';
import type { KnownTree } from '../store/known-tree.js';
import { isUnread } from '../store/unread.js';
import { PATCHES_BYTES_LIMIT, type PatchDesk, summaryOf } from './patch-desk.js';
import type { Retrieval } from './retrieval.js';
import { type SituationParts, situationOf } from './situation.js';

export type ContextRequest = {
  readonly prompt: string;
  /** Its id, or how only that one begins; without it the one that was last at work. */
  readonly session?: string | undefined;
  /** In tokens. */
  readonly budget?: number | undefined;
  /** Notices may reach the model by another way. */
  readonly notices?: 'told' | 'left-out' | undefined;
  /** Changes whose diffs the model has in front of it. */
  readonly inSight?: ReadonlySet<string> | undefined;
  readonly scale?: TokenScale | undefined;
  /** It goes along with a prompt by itself: nothing unless the settings want that, and within their budget. */
  readonly injected?: boolean | undefined;
};

/** `incomplete`: not all files could be searched in time. */
export type ContextAnswer = AssembledContext & {
  readonly session: SessionId | null;
  readonly incomplete: boolean;
  /** The files that the model has seen once the context is in front of it: for `delivered`. */
  readonly shown: readonly ShownFile[];
};

export interface ContextVerbs {
  /** What a model should have in front of it for a prompt, within a budget. Asking changes nothing. */
  assemble(request: ContextRequest): Promise<Outcome<ContextAnswer, Refusal>>;
  /** A context is in front of the session's model: what it shows counts as seen. */
  delivered(context: ContextAnswer): Promise<Outcome<null, Refusal>>;
}

export type ContextParts = SituationParts & {
  readonly queue: SerialQueue;
  readonly patches: PatchDesk;
  readonly retrieval: Retrieval;
  readonly knownOf: (session: SessionId) => KnownTree;
  readonly settings: ContextSettings;
  readonly look: () => Promise<void>;
  /** Null where there is no repository, or git does not answer. */
  readonly gitDifference: () => Promise<GitFact | null>;
};

const FILES_LIMIT = 60;
const FILE_BYTES_LIMIT = 1024 * 1024;
const FOUND_LIMIT = 5;
/** Less room than this is not worth a search. */
const LEAST_FOUND_TOKENS = 150;
/** Unasked, diffs come along only if they are small; larger ones need not be made. */
const CHEAP_LINES = 200;
export const CONTEXT_BUDGET_LIMIT = 1_000_000;

type Searching = {
  readonly scale: TokenScale;
  readonly contents: Map<WorkspacePath, ContentId>;
  readonly session: SessionId | null;
};

/** Gathers what core then puts together. Nothing is read, and git is not asked, before a gate opens for it. */
export class ContextDesk implements ContextVerbs {
  readonly #parts: ContextParts;

  constructor(parts: ContextParts) {
    this.#parts = parts;
  }

  async assemble(request: ContextRequest): Promise<Outcome<ContextAnswer, Refusal>> {
    const { inject, tokens } = this.#parts.settings;
    if (request.injected === true && !inject) return ok(NO_CONTEXT);
    const usual = request.injected === true ? tokens : DEFAULT_CONTEXT_BUDGET;
    const { budget = usual, scale = CONSERVATIVE_SCALE } = request;
    if (!Number.isInteger(budget) || budget < 0 || budget > CONTEXT_BUDGET_LIMIT)
      return failed({ code: 'bad-input', why: `a budget is a number of tokens, at most ${CONTEXT_BUDGET_LIMIT}` });
    const session = this.#session(request.session);
    if (!session.ok) return session;
    await this.#parts.look();
    const parts = { ...this.#parts, known: this.#known(session.value) };
    const gates = gatesOf(await situationOf(parts, request.prompt, session.value));
    const contents = new Map<WorkspacePath, ContentId>();
    const files = await this.#files(gates, session.value, contents);
    const facts: ContextFacts = {
      notices: request.notices === 'left-out' ? [] : this.#notices(session.value),
      files,
      patches: await this.#patches(gates, session.value, request.inSight ?? new Set()),
      git: gates.git === null ? null : await this.#parts.gitDifference(),
    };
    const assembled = assembleContext(gates, facts, { budget, scale });
    const { context, incomplete } = await this.#search(gates, facts, assembled, {
      scale,
      contents,
      session: session.value,
    });
    return ok({ ...context, session: session.value, incomplete, shown: shownIn(context, contents) });
  }

  delivered({ session, shown }: ContextAnswer): Promise<Outcome<null, Refusal>> {
    return this.#parts.queue.ask(async () => {
      if (session === null) return failed({ code: 'bad-input', why: 'no session was given this context' });
      const { live } = this.#parts;
      const known = this.#known(session);
      // What changed meanwhile was still shown as it was.
      const files = shown.map((file) => ({
        ...file,
        ...(known.get(file.path)?.content === file.content ? {} : { stale: true as const }),
      }));
      if (files.length > 0) live.append([{ kind: 'shown', session, source: 'mention', files }]);
      return ok(null);
    });
  }

  /** The files where the session works: the workspace, or a worktree of its own. */
  #known(session: SessionId | null): KnownTree {
    return session === null ? this.#parts.known : this.#parts.knownOf(session);
  }

  /** The one that was last at work, if none is named and one runs. */
  #session(name: string | undefined): Outcome<SessionId | null, Refusal> {
    const { live } = this.#parts;
    if (name !== undefined) return sessionOf(name, live);
    const kinds = ['session-started', 'prompted', 'call-began'] as const;
    const latest = live.log.find({ kinds, newestFirst: true, limit: LATEST_LIMIT });
    const { sessions } = live.views.sessions;
    const at = latest.find((one) => 'session' in one && sessions.get(one.session as SessionId)?.state === 'active');
    return ok(at === undefined || !('session' in at) ? null : (at.session as SessionId));
  }

  #notices(session: SessionId | null): readonly string[] {
    const { live } = this.#parts;
    return session === null
      ? []
      : noticesFor(session, live.views, this.#known(session)).map(({ text }) => `- ${text.replaceAll('\n', '\n  ')}`);
  }

  /** `contents` is told which bytes were read, because a file may be another by the time they are shown. */
  async #files(
    { files }: Gates,
    session: SessionId | null,
    contents: Map<WorkspacePath, ContentId>,
  ): Promise<readonly FileFact[]> {
    return Promise.all(
      [...files].slice(0, FILES_LIMIT).map(([path, reason]) => {
        const state = this.#known(session).get(path);
        if (state !== null) contents.set(path, state.content);
        return this.#file(path, reason, state, session);
      }),
    );
  }

  async #file(
    path: WorkspacePath,
    reason: string,
    state: FileState | null,
    session: SessionId | null,
  ): Promise<FileFact> {
    const { content } = this.#parts;
    const none = (lines: FileFact['lines']): FileFact => ({ path, reason, lines, visible: [] });
    if (state === null) return none('missing');
    if (isUnread(state) || state.size > FILE_BYTES_LIMIT) return none('too large');
    const bytes = await content.get(state.content);
    if (!bytes.ok) return none('missing');
    if (isBinary(bytes.value) || state.mode === '120000') return none('binary');
    const lines = linesOf(decoder.decode(bytes.value));
    return { path, reason, lines, visible: await this.#visible(state, session, lines.length) };
  }

  /** The lines that the session's model has in front of it as they are now. */
  async #visible(
    { path, content }: FileState,
    session: SessionId | null,
    count: number,
  ): Promise<readonly LineRange[]> {
    const { live, content: store } = this.#parts;
    const seen = session === null ? undefined : live.views.freshness.sessions.get(session)?.seen.get(path);
    if (seen === undefined || !seen.visible) return [];
    const { lines } = await presentSight(seen, content, store);
    return lines.map(({ from, to }) => ({ from, to: to === LAST_LINE ? Math.max(count, from, 1) : to }));
  }

  async #patches(gates: Gates, session: SessionId | null, inSight: ReadonlySet<string>): Promise<readonly PatchFact[]> {
    const { live, patches } = this.#parts;
    const listed = patchesOf(live.views.patches, session);
    const lines = listed.reduce((sum, { added, removed }) => sum + added + removed, 0);
    const wantsDiffs = gates.diffs !== null || (!gates.isIdle && lines <= CHEAP_LINES);
    const diffs = await Promise.all(
      listed.map(async ({ id }) => (wantsDiffs && !inSight.has(id) ? patches.diffOf(id) : NO_BYTES)),
    );
    let room = PATCHES_BYTES_LIMIT;
    return listed.map((patch, at) => {
      const { id, path, tool } = patch;
      const bytes = diffs[at]!.subarray(0, Math.max(0, room));
      room -= bytes.byteLength;
      return {
        ...{ id, path, summary: summaryOf(patch), diff: bytes.byteLength === 0 ? null : decoder.decode(bytes) },
        status: live.views.review.entries.get(id)?.status ?? 'accepted',
        isVisible: this.#wroteInSight(path, tool, patch.session),
      };
    });
  }

  /** Made with the model's own words, which it has in front of it as long as what it knows of the file. */
  #wroteInSight(path: WorkspacePath, tool: string, session: SessionId): boolean {
    const { action } = canonicalTool(tool);
    if (action === 'shell' || action === 'other') return false;
    return this.#parts.live.views.freshness.sessions.get(session)?.seen.get(path)?.visible === true;
  }

  /** Last, with what is left, and only for what stands in nothing that is there. */
  async #search(
    gates: Gates,
    { files, patches }: ContextFacts,
    context: AssembledContext,
    { scale, contents, session }: Searching,
  ) {
    const none = { context, incomplete: false };
    if (gates.retrieval === null || context.left < LEAST_FOUND_TOKENS) return none;
    const texts = [
      ...context.blocks.map(({ text }) => text),
      ...files.flatMap(({ path, lines }) => (typeof lines === 'string' ? [] : [path, lines.join('')])),
      ...patches.map(({ path }) => path),
    ];
    const missing = uncovered(gates.terms, texts);
    const names = gates.terms.filter(({ kind }) => kind === 'name');
    const isCovered =
      names.length > 0 ? !missing.some(({ kind }) => kind === 'name') : missing.length * 2 < gates.terms.length;
    if (missing.length === 0 || isCovered) return none;
    const except = new Set(files.map(({ path }) => path));
    const { found, incomplete } = await this.#parts.retrieval.find({ terms: missing, except, limit: FOUND_LIMIT });
    // What is searched is the workspace; a session in a worktree of its own may have another text there.
    const own = found.filter(({ path, content }) => this.#known(session).get(path)?.content === content);
    for (const { path, content } of own) contents.set(path, content);
    return { context: withFound(context, own, gates.retrieval, scale), incomplete };
  }
}

const NO_CONTEXT: ContextAnswer = {
  ...{ blocks: [], tokens: 0, budget: 0, left: 0, omitted: [] },
  ...{ session: null, incomplete: false, shown: [] },
};
const LATEST_LIMIT = 20;
const NO_BYTES = new Uint8Array(0);
const decoder = new TextDecoder();

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** The lines that are in a context, of the bytes that were read for it. */
function shownIn({ blocks }: AssembledContext, contents: ReadonlyMap<WorkspacePath, ContentId>): readonly ShownFile[] {
  return blocks.flatMap(({ kind, path, lines = [] }) => {
    const content = path === undefined ? undefined : contents.get(path);
    if (path === undefined || content === undefined || (kind !== 'open-file' && kind !== 'found')) return [];
    return lines.map((range): ShownFile => ({ path, content, lines: range }));
  });
}
