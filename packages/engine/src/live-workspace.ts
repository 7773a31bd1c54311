import {
  type CallId,
  failed,
  type Operation,
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
  type WorkspacePath,
} from '@palimpsest/core';
import type { Refusal } from './basis/refusal.js';
import type { BeginAnswer, BeginCall } from './call/calls.js';
import { type CommentRequest, takeComments } from './call/commenting.js';
import { type FreshnessReport, freshnessReports } from './call/freshness-report.js';
import type { Note } from './call/notes.js';
import { type Notice, noticesFor } from './call/notices.js';
import type { StartSession } from './call/session-desk.js';
import { ignoredNow } from './checkpoint/ignored-now.js';
import {
  attachNotes,
  type Contribution,
  type ContributionParts,
  contributionsOf,
  revisionOf,
} from './exchange/contributions.js';
import type { ExchangeVerbs } from './exchange/exchange-desk.js';
import { radarNotices } from './flow/radar-notices.js';
import { LiveWorktrees } from './flow/worktree-verbs.js';
import type { Forgotten } from './forget/forgetting.js';
import type { ForgetRequest } from './forget/target.js';
import type { ChangesRequest } from './review/changes.js';
import { understand } from './review/meant.js';
import { Reviewer, type ReviewVerbs } from './review/reviewer.js';
import type { Listener } from './store/live-log.js';
import type { BeginRequest, EndRequest, EndResult, Workspace, WorkspaceStatus } from './workspace.js';
import type { WorkspaceParts } from './workspace-parts.js';
import { statusOf } from './workspace-status.js';

/** How often calls that never end are looked for, at most. */
const EXPIRY_CHECK_MS = 60_000;

/** An open workspace: parses what comes in, queues it, and lets the parts do the work. */
export class LiveWorkspace implements Workspace {
  readonly id: string;
  readonly root: string;
  readonly conversations: Workspace['conversations'];
  readonly transcripts: Workspace['transcripts'];
  readonly openFiles: Workspace['openFiles'];
  readonly patches: Workspace['patches'];
  readonly #parts: WorkspaceParts;
  readonly #review: Reviewer;
  readonly worktrees: LiveWorktrees;
  #expiryCheckedAt = 0;
  #closed = false;

  constructor(id: string, parts: WorkspaceParts) {
    this.id = id;
    this.root = parts.root;
    this.openFiles = parts.openFiles;
    this.patches = parts.patches;
    this.#parts = parts;
    this.conversations = parts.conversations;
    this.transcripts = parts.transcripts;
    const { live, known, writer, store } = parts;
    this.#review = new Reviewer(
      { place: null, live, known, writer, content: store.content, locate: (path) => parts.locate(path, parts.root) },
      (task, named = []) => parts.queue.ask(() => parts.rounds.look(named).then(task)),
      { at: (place) => parts.places.at(place), flow: () => parts.flows.run() },
    );
    this.worktrees = new LiveWorktrees({
      ...{ desk: parts.worktrees, queue: parts.queue, rounds: parts.rounds, sessions: parts.sessions },
      save: (session) => parts.checkpoints.save({ reason: 'start', session }),
    });
  }

  get seq(): Seq | 0 {
    return this.#parts.live.log.last;
  }

  stockTaken(): Promise<void> {
    return this.#parts.stock.taken;
  }

  status(): Promise<WorkspaceStatus> {
    return statusOf(this.id, this.#parts);
  }

  look(): Promise<void> {
    return this.#parts.queue.run(() => this.#parts.rounds.look());
  }

  startSession(request: StartSession): Promise<Outcome<SessionState, Refusal>> {
    if (typeof request.worktree === 'string') return this.worktrees.start(request, request.worktree);
    return this.#parts.queue.ask(async () => this.#parts.sessions.start(request));
  }

  endSession(session: string): Promise<Outcome<SessionState, Refusal>> {
    return this.#parts.queue.ask(async () => {
      await this.#silence(session);
      return this.#parts.sessions.end(session);
    });
  }

  /** What its calls did, and what they left running may have done, is recorded before it is over. */
  async #silence(session: string): Promise<void> {
    await this.#parts.calls.expire((plan) => plan.session === session);
    await this.#parts.calls.quiet(session as SessionId);
  }

  renameSession(session: string, title: string): Promise<Outcome<SessionState, Refusal>> {
    return this.#parts.queue.ask(async () => this.#parts.sessions.rename(session, title));
  }

  deleteSession(session: string): Promise<Outcome<SessionState, Refusal>> {
    return this.#parts.queue.ask(async () => {
      await this.#silence(session);
      return this.#parts.sessions.delete(session);
    });
  }

  sessions(): readonly SessionState[] {
    return this.#parts.sessions.list();
  }

  session(id: string): SessionState | null {
    return this.#parts.sessions.find(id);
  }

  async begin(request: BeginRequest): Promise<Outcome<BeginAnswer, Refusal>> {
    const call = parseCallId(request.callId);
    if (!call.ok) return failed(call.error);
    const { session: _, callId: __, parent: ___, cwd, ...rest } = request;
    const unknown = await this.#untilKnown(request, call.value);
    return this.#parts.queue.ask(async () => {
      await this.#expireLost();
      const session = this.#parts.sessions.ensure(request.session, request.agent, request.parent, cwd);
      if (!session.ok) return session;
      const { id, agent } = session.value;
      await this.#parts.rounds.before(id);
      if (unknown) this.#parts.stock.letGo();
      const begun = await this.#parts.calls.begin({
        ...rest,
        agent,
        session: id,
        call: call.value,
        input: request.input,
        cwd: cwd ?? this.#parts.places.of(id).root,
      });
      return ok({ ...begun, notices: [...this.#radarFor(id), ...begun.notices] });
    });
  }

  /**
   * A call that may write what is not known yet waits for that: outside of the queue, so that stock can be taken and
   * others go on. True when it may still write what is not known.
   */
  async #untilKnown(request: BeginRequest, call: CallId): Promise<boolean> {
    const { opening, calls, stock, settings } = this.#parts;
    const session = parseSessionId(request.session);
    if (!opening.takingStock || !session.ok) return false;
    const { cwd = this.root, agent = 'unknown', input } = request;
    if (!calls.mayWriteAnything({ ...request, input, session: session.value, call, agent, cwd })) return false;
    // One that may have run already gains nothing from waiting.
    if (request.observe !== true) await stock.within(settings.stockWaitMs);
    return opening.takingStock;
  }

  end(request: EndRequest): Promise<Outcome<EndResult, Refusal>> {
    const call = parseCallId(request.callId);
    const session = parseSessionId(request.session);
    if (!call.ok) return Promise.resolve(failed(call.error));
    if (!session.ok) return Promise.resolve(failed(session.error));
    return this.#parts.queue.ask(async () => {
      const answer = await this.#parts.calls.end({
        session: session.value,
        call: call.value,
        ok: request.ok ?? null,
        output: request.output ?? null,
        shown: request.shown ?? null,
        unannounced: this.#unannounced(request, session.value, call.value),
      });
      await this.#parts.rounds.after(session.value);
      const changes = await this.#parts.changes.of(answer.operations);
      const perhaps = (await this.#parts.changes.of(answer.perhaps)).filter(({ author }) => author.kind === 'unknown');
      return ok({ known: answer.known, changes, perhaps, notices: this.notices(session.value) });
    });
  }

  async replace(path: string, expected: string | null, bytes: Uint8Array): Promise<Outcome<WorkspacePath, Refusal>> {
    const content = expected === null ? ok(null) : parseContentId(expected);
    if (!content.ok) return failed(content.error);
    return this.#parts.queue.ask(async () => {
      const located = this.#parts.locate(path, this.root);
      if (!located.ok) return located;
      // A folder on the way may have become a link since the call was looked at.
      if (located.value !== path) return failed({ code: 'bad-path', path, why: 'a link, or not how we write it' });
      const written = await this.#parts.writer.replace(located.value, content.value, bytes);
      return written.ok ? located : written;
    });
  }

  #unannounced(request: EndRequest, session: SessionId, call: CallId): BeginCall | null {
    const { tool, input, cwd, agentId, runsSince } = request;
    if (tool === undefined) return null;
    const started = this.#parts.sessions.ensure(session, request.agent, request.parent, cwd);
    if (!started.ok) return null;
    return {
      session,
      call,
      tool,
      input,
      agent: started.value.agent,
      cwd: cwd ?? this.#parts.places.of(session).root,
      agentId,
      runsSince,
    };
  }

  /** What a session begins with waits for stock too: its first call then need not. */
  async note(note: Note): ReturnType<Workspace['note']> {
    const noted = await this.#noted(note);
    if (note.kind === 'prompt' && this.#parts.opening.takingStock)
      await this.#parts.stock.within(this.#parts.settings.stockWaitMs);
    return noted;
  }

  #noted(note: Note): ReturnType<Workspace['note']> {
    return this.#parts.queue.ask(async () => {
      const session = note.kind === 'saved' ? null : this.#parts.sessions.ensure(note.session, undefined);
      if (session !== null && !session.ok) return session;
      const noted = await this.#parts.notes.take(note);
      if (!noted.ok) return noted;
      return ok({ notices: session === null ? [] : this.notices(session.value.id), seq: this.seq });
    });
  }

  notices(session: string): readonly Notice[] {
    const { live, places } = this.#parts;
    const id = session as SessionId;
    return [...this.#radarFor(id), ...noticesFor(id, live.views, places.of(id).known)];
  }

  #radarFor(id: SessionId): readonly Notice[] {
    const { live, flows } = this.#parts;
    const heard = live.views.freshness.sessions.get(id)?.acknowledged ?? 0;
    return radarNotices(id, flows.radar.newsFor(id, heard));
  }

  acknowledge(session: string, upTo: number): Promise<Outcome<null, Refusal>> {
    return this.#parts.queue.ask(async () => this.#parts.sessions.acknowledge(session, upTo));
  }

  comment(comments: readonly CommentRequest[]): ReturnType<Workspace['comment']> {
    return this.#parts.queue.ask(async () => takeComments(comments, this.root, this.#parts));
  }

  async changes(request: ChangesRequest): Promise<Outcome<readonly ReviewEntry[], Refusal>> {
    const { live, known, locate, changes } = this.#parts;
    const meant = understand(request, { live, known, locate: (path) => locate(path, this.root) });
    return meant.ok ? changes.find(request, meant.value) : meant;
  }

  async change(id: string): Promise<Outcome<ReviewEntry, Refusal>> {
    const parsed = parseChangeId(id);
    if (!parsed.ok) return failed(parsed.error);
    const entry = await this.#parts.changes.get(parsed.value);
    return entry === null ? failed({ code: 'unknown-change', change: id }) : ok(entry);
  }

  async patch(id: string): Promise<Outcome<Uint8Array, Refusal>> {
    const entry = await this.change(id);
    return entry.ok ? this.#parts.changes.patch(entry.value) : entry;
  }

  readonly accept: ReviewVerbs['accept'] = (...asked) => this.#review.accept(...asked);
  readonly reject: ReviewVerbs['reject'] = (...asked) => this.#review.reject(...asked);
  readonly attribute: ReviewVerbs['attribute'] = (...asked) => this.#review.attribute(...asked);
  readonly conflicts: ReviewVerbs['conflicts'] = () => this.#review.conflicts();
  readonly resolve: ReviewVerbs['resolve'] = (...asked) => this.#review.resolve(...asked);
  readonly undo: ReviewVerbs['undo'] = (...asked) => this.#review.undo(...asked);
  readonly redo: ReviewVerbs['redo'] = (...asked) => this.#review.redo(...asked);
  readonly blame: ReviewVerbs['blame'] = (...asked) => this.#review.blame(...asked);

  async stale(session?: string): Promise<readonly FreshnessReport[]> {
    const { live, places, store } = this.#parts;
    await this.look();
    return freshnessReports(session, live.views, (id) => places.of(id).known, store.content);
  }

  forget(request: ForgetRequest): Promise<Outcome<Forgotten, Refusal>> {
    const { checkpoints, forgetting } = this.#parts;
    return checkpoints.quietly((keeping) => forgetting.forget(request, keeping));
  }

  readonly exportTaskMetadata: ExchangeVerbs['exportTaskMetadata'] = (...asked) =>
    this.#parts.exchange.exportTaskMetadata(...asked);
  readonly importTaskMetadata: ExchangeVerbs['importTaskMetadata'] = (...asked) =>
    this.#parts.exchange.importTaskMetadata(...asked);
  readonly importTask: ExchangeVerbs['importTask'] = (...asked) => this.#parts.exchange.importTask(...asked);
  readonly exportTask: ExchangeVerbs['exportTask'] = (...asked) => this.#parts.exchange.exportTask(...asked);
  readonly exportChangeRecords: ExchangeVerbs['exportChangeRecords'] = (...asked) =>
    this.#parts.exchange.exportChangeRecords(...asked);
  readonly importChangeRecords: ExchangeVerbs['importChangeRecords'] = (...asked) =>
    this.#parts.exchange.importChangeRecords(...asked);

  async contributions(range?: string): Promise<Outcome<readonly Contribution[], Refusal>> {
    await this.look();
    return contributionsOf(this.#contributing(), range);
  }

  revisionOf(path: string): ReturnType<Workspace['revisionOf']> {
    return revisionOf(this.#contributing(), path);
  }

  attachNotes: Workspace['attachNotes'] = (...asked) => attachNotes(this.#contributing(), ...asked);

  prompts(session: string): ReturnType<Workspace['prompts']> {
    const found = this.#known(session);
    if (!found.ok) return found;
    const prompts = this.#parts.live.log.find({ kinds: ['prompted'], session: found.value.id });
    return ok(prompts.filter((operation) => operation.kind === 'prompted'));
  }

  #contributing(): ContributionParts {
    const { live, known, writer, store, repository, head, rescan } = this.#parts;
    return {
      ...{ place: null, live, known, writer, repository, git: store.git, content: store.content, head: head.commit },
      locate: (path) => this.#parts.locate(path, this.root),
      ignored: () => ignoredNow(rescan.rules(), repository),
    };
  }

  context: Workspace['context'] = (request) => this.#parts.context.assemble(request);
  contextDelivered: Workspace['contextDelivered'] = (context) => this.#parts.context.delivered(context);

  saveCheckpoint: Workspace['saveCheckpoint'] = (request = {}) => this.#parts.checkpoints.save(request);
  checkpoints: Workspace['checkpoints'] = (request = {}) => this.#parts.checkpoints.list(request);
  checkpointDiff: Workspace['checkpointDiff'] = (a, b, request = {}) => this.#parts.checkpoints.diff(a, b, request);
  planRestore: Workspace['planRestore'] = (id, request = {}) => this.#parts.checkpoints.plan(id, request);
  restore: Workspace['restore'] = (id, request = {}) => this.#parts.checkpoints.restore(id, request);
  deleteCheckpoint: Workspace['deleteCheckpoint'] = (id) => this.#parts.checkpoints.delete(id);
  pinCheckpoint: Workspace['pinCheckpoint'] = (id, state = 'pinned') => this.#parts.checkpoints.pin(id, state);
  gc: Workspace['gc'] = (request = {}) => this.#parts.checkpoints.gc(request);

  operations(since: number, limit: number): readonly Operation[] {
    return this.#parts.live.log.read(since as Seq, limit);
  }

  subscribe(listener: Listener): () => void {
    return this.#parts.live.subscribe(listener);
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
    this.#parts.queue.close();
    this.#parts.rounds.close();
    this.#parts.stock.stop();
    await this.#parts.stock.done;
    const { queue, places, remarks } = this.#parts;
    const record = async () => {
      for (const { tracker } of places.all()) await tracker.recordHeld();
    };
    await queue.run(record).catch((error: unknown) => remarks.fault(error));
    await this.#parts.close();
  }

  #known(session: string): Outcome<SessionState, Refusal> {
    const found = this.session(session);
    return found === null ? failed({ code: 'unknown-session', session }) : ok(found);
  }

  async #expireLost(): Promise<void> {
    const { calls, settings, now } = this.#parts;
    if (now() - this.#expiryCheckedAt < Math.min(EXPIRY_CHECK_MS, settings.callLifetimeMs)) return;
    this.#expiryCheckedAt = now();
    await calls.expire((_, beganAt) => now() - beganAt > settings.callLifetimeMs);
  }
}
