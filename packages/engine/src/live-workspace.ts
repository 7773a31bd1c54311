import {
  type ContentId,
  callKey,
  failed,
  findMentions,
  formatUnified,
  freshnessOf,
  isGitInternal,
  type Operation,
  type OperationBody,
  type Outcome,
  ok,
  parseCallId,
  parseChangeId,
  parseContentId,
  parseSessionId,
  type ReviewEntry,
  type Seq,
  type SessionId,
  type SessionState,
  type Shown,
  type WorkspacePath,
} from '@palimpsest/core';
import type { BeginAnswer } from './calls.js';
import type { Listener } from './journal.js';
import type { versionOf } from './known-tree.js';
import { type Notice, noticesFor } from './notices.js';
import type { Refusal } from './refusal.js';
import { resolveInWorkspace } from './tree/resolve.js';
import type {
  BeginRequest,
  ChangesRequest,
  EndRequest,
  EndResult,
  FreshnessReport,
  Note,
  StartSession,
  Workspace,
  WorkspaceStatus,
} from './workspace.js';
import type { WorkspaceParts } from './workspace-parts.js';

/** How often calls that never end are looked for, at most. */
const EXPIRY_CHECK_MS = 60_000;

/** An open workspace: parses what comes in, queues it, and lets the parts do the work. */
export class LiveWorkspace implements Workspace {
  readonly id: string;
  readonly root: string;
  readonly #parts: WorkspaceParts;
  #lookTimer: NodeJS.Timeout | null = null;
  #expiryCheckedAt = 0;
  #closed = false;
  readonly #unhint: () => void;

  constructor(id: string, parts: WorkspaceParts) {
    this.id = id;
    this.root = parts.root;
    this.#parts = parts;
    this.#unhint = parts.watch.onHint(() => this.#lookSoon());
  }

  get seq(): Seq | 0 {
    return this.#parts.journal.log.last;
  }

  stockTaken(): Promise<void> {
    return this.#parts.stock.taken;
  }

  async status(): Promise<WorkspaceStatus> {
    const { journal, known, watch, rescan, store, opening, head, remarks } = this.#parts;
    const entries = [...journal.views.review.entries.values()];
    const pending = entries.filter((entry) => entry.status === 'pending');
    return {
      id: this.id,
      root: this.root,
      git: this.#parts.repository !== null,
      head: head.commit,
      seq: this.seq,
      watching: watch.mode,
      remarks: watch.note === null ? remarks.list() : [watch.note, ...remarks.list()],
      takingStock: opening.takingStock,
      openCalls: [...journal.views.sessions.openCalls.values()].map(({ session, call, tool }) => ({
        session,
        call,
        tool,
      })),
      pending: {
        changes: pending.length,
        hunks: pending.reduce((sum, entry) => sum + entry.hunks.filter((hunk) => hunk.status === 'pending').length, 0),
        files: new Set(pending.map((entry) => entry.path)).size,
      },
      conflicts: entries.filter((entry) => entry.status === 'conflict').length,
      coverage: { files: known.size, ...rescan.report },
      store: { bytes: await store.content.bytesOnDisk(), checkpoints: journal.views.checkpoints.saved.size },
    };
  }

  look(): Promise<void> {
    return this.#queued(() => this.#lookNow());
  }

  startSession(request: StartSession): Promise<Outcome<SessionState, Refusal>> {
    return this.#queued(async () => this.#parts.sessions.start(request));
  }

  endSession(session: string): Promise<Outcome<SessionState, Refusal>> {
    return this.#queued(async () => {
      await this.#parts.calls.expire((plan) => plan.session === session);
      return this.#parts.sessions.end(session);
    });
  }

  renameSession(session: string, title: string): Promise<Outcome<SessionState, Refusal>> {
    return this.#queued(async () => this.#parts.sessions.rename(session, title));
  }

  deleteSession(session: string): Promise<Outcome<SessionState, Refusal>> {
    return this.#queued(async () => {
      await this.#parts.calls.expire((plan) => plan.session === session);
      return this.#parts.sessions.delete(session);
    });
  }

  sessions(): readonly SessionState[] {
    return this.#parts.sessions.list();
  }

  session(id: string): SessionState | null {
    return this.#parts.sessions.find(id);
  }

  begin(request: BeginRequest): Promise<Outcome<BeginAnswer, Refusal>> {
    const call = parseCallId(request.callId);
    if (!call.ok) return Promise.resolve(failed(call.error));
    const { session: _, callId: __, cwd, ...rest } = request;
    return this.#queued(async () => {
      await this.#expireLost();
      const session = this.#parts.sessions.ensure(request.session, request.agent);
      if (!session.ok) return session;
      const { id, agent } = session.value;
      return ok(
        await this.#parts.calls.begin({
          ...rest,
          agent,
          session: id,
          call: call.value,
          input: request.input,
          cwd: cwd ?? this.root,
        }),
      );
    });
  }

  end(request: EndRequest): Promise<Outcome<EndResult, Refusal>> {
    const call = parseCallId(request.callId);
    const session = parseSessionId(request.session);
    if (!call.ok) return Promise.resolve(failed(call.error));
    if (!session.ok) return Promise.resolve(failed(session.error));
    return this.#queued(async () => {
      const answer = await this.#parts.calls.end({
        session: session.value,
        call: call.value,
        ok: request.ok ?? null,
        output: request.output ?? null,
      });
      const changes = await this.#parts.changes.list({ session: session.value, call: call.value, status: 'all' });
      return ok({ known: answer.known, changes, notices: this.notices(session.value) });
    });
  }

  note(note: Note): ReturnType<Workspace['note']> {
    return this.#queued(async () => {
      if (note.kind === 'saved') return this.#noteSaved(note.path);
      const session = this.#parts.sessions.ensure(note.session, undefined);
      if (!session.ok) return session;
      const noted = await this.#noteFor(session.value, note);
      return noted.ok ? ok({ notices: this.notices(note.session), seq: this.seq }) : noted;
    });
  }

  notices(session: string): readonly Notice[] {
    return noticesFor(session as SessionId, this.#parts.journal.views, this.#parts.known);
  }

  acknowledge(session: string, upTo: number): Promise<Outcome<null, Refusal>> {
    return this.#queued(async () => {
      const found = this.session(session);
      if (found === null) return failed({ code: 'unknown-session', session });
      const seq = Math.min(Math.max(0, Math.trunc(upTo)), this.seq) as Seq;
      this.#parts.journal.append([{ kind: 'acknowledged', session: found.id, upTo: seq }]);
      return ok(null);
    });
  }

  async changes(request: ChangesRequest): Promise<Outcome<readonly ReviewEntry[], Refusal>> {
    const { session, call, path, ...rest } = request;
    const resolved = path === undefined ? null : this.#resolve(path, this.root);
    if (resolved !== null && !resolved.ok) return resolved;
    const query = {
      ...rest,
      ...(session === undefined ? {} : { session: session as SessionId }),
      ...(call === undefined ? {} : { call: call as never }),
      ...(resolved === null ? {} : { path: resolved.value }),
    };
    return ok(await this.#parts.changes.list(query));
  }

  async change(id: string): Promise<Outcome<ReviewEntry, Refusal>> {
    const parsed = parseChangeId(id);
    if (!parsed.ok) return failed(parsed.error);
    const entry = await this.#parts.changes.get(parsed.value);
    return entry === null ? failed({ code: 'unknown-change', change: id }) : ok(entry);
  }

  async patch(id: string): Promise<Outcome<Uint8Array, Refusal>> {
    const entry = await this.change(id);
    if (!entry.ok) return entry;
    const { path, fromPath, before, after } = entry.value.file;
    const [old, next] = await Promise.all([this.#side(fromPath ?? path, before), this.#side(path, after)]);
    if (old === 'gone' || next === 'gone')
      return failed({ code: 'unknown-content', content: (before ?? after)?.content ?? '' });
    return ok(formatUnified(old, next));
  }

  async stale(session?: string): Promise<readonly FreshnessReport[]> {
    const { journal, known } = this.#parts;
    const wanted = [...journal.views.freshness.sessions].filter(([id]) => session === undefined || id === session);
    await this.look();
    return wanted.flatMap(([id, { seen }]) =>
      [...seen].map(([path, record]): FreshnessReport => {
        const state = known.get(path);
        const { content, at, lines, visible } = record;
        const now = state === null ? null : { content: state.content };
        return {
          session: id,
          path,
          state: freshnessOf(record, now ?? 'absent'),
          seen: { content, at, lines },
          now,
          visible,
        };
      }),
    );
  }

  operations(since: number, limit: number): readonly Operation[] {
    return this.#parts.journal.log.read(since as Seq, limit);
  }

  subscribe(listener: Listener): () => void {
    return this.#parts.journal.subscribe(listener);
  }

  async content(id: string): Promise<Outcome<Uint8Array, Refusal>> {
    const parsed = parseContentId(id);
    if (!parsed.ok) return failed(parsed.error);
    const found = await this.#parts.store.content.get(parsed.value);
    return found.ok ? found : failed({ code: 'unknown-content', content: id });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#unhint();
    if (this.#lookTimer !== null) clearTimeout(this.#lookTimer);
    this.#parts.stock.stop();
    await this.#parts.stock.taken;
    await this.#parts.queue.idle();
    await this.#parts.close();
  }

  #queued<T>(task: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('the workspace is closed'));
    return this.#parts.queue.run(task);
  }

  /** While a call is running it will be looked for at its end; until then there is nothing to tell apart. */
  #lookSoon(): void {
    if (this.#lookTimer !== null || this.#closed) return;
    this.#lookTimer = setTimeout(() => {
      this.#lookTimer = null;
      if (this.#closed) return;
      this.#queued(() => this.#lookNow()).catch((error: unknown) => this.#parts.remarks.fault(error));
    }, this.#parts.settings.lookAfterMs);
    this.#lookTimer.unref();
  }

  async #lookNow(): Promise<void> {
    const { calls, tracker, opening } = this.#parts;
    const open = calls.openPlans();
    const suspects = open.map((plan) => ({ plan, outcome: 'running' as const }));
    await tracker.track({ suspects, named: [], circumstance: opening.circumstance }, open);
  }

  async #expireLost(): Promise<void> {
    const { calls, settings, now } = this.#parts;
    if (now() - this.#expiryCheckedAt < Math.min(EXPIRY_CHECK_MS, settings.callLifetimeMs)) return;
    this.#expiryCheckedAt = now();
    await calls.expire((_, beganAt) => now() - beganAt > settings.callLifetimeMs);
  }

  async #noteFor(session: SessionState, note: Exclude<Note, { kind: 'saved' }>): Promise<Outcome<null, Refusal>> {
    const { journal, calls } = this.#parts;
    switch (note.kind) {
      case 'read':
      case 'mention': {
        const path = this.#resolve(note.path, note.cwd ?? this.root);
        if (!path.ok) return path;
        const content = await this.#presentContent(path.value);
        if (content === null) return failed({ code: 'no-such-file', path: path.value });
        const file = { path: path.value, content, ...(note.lines === undefined ? {} : { lines: note.lines }) };
        journal.append([{ kind: 'shown', session: session.id, source: note.kind, files: [file] }]);
        return ok(null);
      }
      case 'prompt': {
        // A new prompt means that the turn before it is over, whether or not we heard the end of its calls.
        await calls.expire((plan) => plan.session === session.id && this.#isMain(plan.session, plan.call));
        const turn = note.turn ?? `turn-${this.seq + 1}`;
        const prompted: OperationBody = { kind: 'prompted', session: session.id, turn, text: note.text };
        journal.append([prompted, ...(await this.#mentioned(session.id, note.text, note.cwd ?? this.root))]);
        return ok(null);
      }
      case 'cut':
        journal.append([{ kind: 'context-cut', session: session.id }]);
        return ok(null);
    }
  }

  #isMain(session: SessionId, call: Parameters<typeof callKey>[1]): boolean {
    return this.#parts.journal.views.sessions.openCalls.get(callKey(session, call))?.agentId === undefined;
  }

  async #noteSaved(written: string): ReturnType<Workspace['note']> {
    const { capture, tracker, calls } = this.#parts;
    const path = this.#resolve(written, this.root);
    if (!path.ok) return path;
    await capture.lookAt([path.value], { suspects: [], circumstance: 'live' });
    await tracker.record(calls.openPlans(), []);
    return ok({ notices: [], seq: this.seq });
  }

  async #mentioned(session: SessionId, text: string, cwd: string): Promise<readonly OperationBody[]> {
    const files: Shown['files'][number][] = [];
    for (const mention of findMentions(text)) {
      const path = this.#resolve(mention.path, cwd);
      const content = path.ok ? await this.#presentContent(path.value) : null;
      if (!path.ok || content === null) continue;
      files.push({ path: path.value, content, ...(mention.lines === undefined ? {} : { lines: mention.lines }) });
    }
    return files.length === 0 ? [] : [{ kind: 'shown', session, source: 'mention', files }];
  }

  /** What a file holds at this moment, whether or not a hint has come yet; null when it is not there. */
  async #presentContent(path: WorkspacePath): Promise<ContentId | null> {
    const { calls, capture, securing, tracker, opening, known } = this.#parts;
    const open = calls.openPlans();
    const suspects = open.map((plan) => ({ plan, outcome: 'running' as const }));
    await capture.lookAt([path], { suspects, circumstance: opening.circumstance });
    await securing.secure([path], suspects);
    await tracker.record(open, []);
    return known.get(path)?.content ?? null;
  }

  #resolve(written: string, cwd: string): Outcome<WorkspacePath, Refusal> {
    const resolved = resolveInWorkspace(this.root, cwd, written, this.#parts.resolveOptions);
    if (!resolved.ok) {
      const { code } = resolved.error;
      return failed(
        code === 'outside' || code === 'escapes'
          ? { code: 'outside', path: written }
          : { code: 'bad-path', path: written, why: code },
      );
    }
    return isGitInternal(resolved.value) ? failed({ code: 'bad-path', path: written, why: 'git-internal' }) : resolved;
  }

  async #side(path: WorkspacePath, version: ReturnType<typeof versionOf>) {
    if (version === null) return null;
    const found = await this.#parts.store.content.get(version.content);
    return found.ok ? { path, bytes: found.value, mode: version.mode } : ('gone' as const);
  }
}
