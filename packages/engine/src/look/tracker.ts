import {
  type ChangeId,
  type ContentId,
  callKey,
  callsOf,
  type FileVersion,
  type Link,
  type Operation,
  type OperationBody,
  type WorkspacePath,
} from '@palimpsest/core';
import type { FileState } from '../log/log.js';
import type { LiveLog } from '../store/live-log.js';
import { type CallPlan, canWrite } from './call-plan.js';
import type { Capture, Look } from './capture.js';
import type { Suspect } from './claims.js';
import type { HeadMove, HeadTracker } from './head.js';
import type { Lingering } from './lingering.js';
import type { Opening } from './opening.js';
import type { RecordContext, Recorder } from './recorder.js';

/** What is special about a look. Without any of it: at everything that was hinted, for whoever asks. */
export type LookAt = Partial<Pick<Look, 'named' | 'saved' | 'unhurried' | 'late'>>;

/** What is appended after what a look found; as a function it may rest on that. */
export type Said = readonly OperationBody[] | (() => readonly OperationBody[]);

export type TrackerParts = {
  readonly capture: Capture;
  readonly recorder: Recorder;
  readonly live: LiveLog;
  readonly head: HeadTracker;
  readonly opening: Opening;
  readonly lingering: Lingering;
  /** The open changes that a commit holds and the one before did not. */
  readonly changesIn: (head: string, previous: string | null) => Promise<readonly ChangeId[]>;
};

/**
 * The one owner of looks: it knows which calls are open, and under which circumstance, so whoever asks for a look need not.
 * What a look finds goes into the log in one entry, together with what the caller has to say. Runs inside the queue.
 */
export class Tracker {
  readonly #parts: TrackerParts;
  readonly #open = new Map<string, CallPlan>();
  /** What git did while a command ran that is still running: its changes are recorded later, and it is their cause. */
  readonly #causes = new Map<string, string>();

  constructor(parts: TrackerParts) {
    this.#parts = parts;
  }

  /** From here on the call may write. */
  open(plan: CallPlan): void {
    this.#open.set(plan.key, plan);
  }

  plan(key: string): CallPlan | undefined {
    return this.#open.get(key);
  }

  openPlans(): readonly CallPlan[] {
    return [...this.#open.values()];
  }

  /** The call has ended, and may have left something running. */
  linger(plan: CallPlan): void {
    this.#parts.lingering.add(plan);
  }

  /** Calls that have ended and left something running that may still write. */
  lingering(): readonly CallPlan[] {
    return this.#parts.lingering.suspects().map(({ plan }) => plan);
  }

  /** Looks at the world, and records what is found, but for what running calls did: they may go on. */
  look(at: LookAt = {}, say: Said = []): Promise<readonly Operation[]> {
    const late = at.late === undefined ? [] : [at.late];
    return this.#track(at, [...this.#suspects(), ...late], this.openPlans(), say);
  }

  /** The last look of these calls, with what is known of their ends: what they did is recorded, and they are over. */
  async end(ended: readonly Suspect[], say: Said): Promise<readonly Operation[]> {
    const keys = new Set(ended.map(({ plan }) => plan.key));
    const others = this.openPlans().filter(({ key }) => !keys.has(key));
    const suspects = [
      ...ended.filter(({ plan }) => canWrite(plan)),
      ...running(others),
      ...this.#parts.lingering.suspects(),
    ];
    const named = ended.flatMap(({ plan }) => [...plan.writes.keys()]);
    const operations = await this.#track({ named }, suspects, others, say);
    this.forgetCalls(keys);
    return operations;
  }

  /** They are over without a look, because they can have written nothing. */
  forgetCalls(keys: Iterable<string>): void {
    for (const key of keys) {
      this.#open.delete(key);
      this.#causes.delete(key);
    }
  }

  /** As `look`, and what running calls have done so far is recorded too. */
  lookAndRecordAll(): Promise<readonly Operation[]> {
    const named = this.openPlans().flatMap((plan) => [...plan.writes.keys()]);
    return this.#track({ named }, this.#suspects(), [], []);
  }

  /** Looks at these paths only, and records nothing yet. `adopted`: those that only now came into view. */
  lookAt(paths: Iterable<WorkspacePath>, adopted?: ReadonlySet<WorkspacePath>, late?: Suspect): Promise<void> {
    const suspects = [...this.#suspects(), ...(late === undefined ? [] : [late])];
    return this.#parts.capture.lookAt(paths, { suspects, circumstance: this.#parts.opening.circumstance }, adopted);
  }

  /** Looks at everything that was hinted, and at these, and records nothing yet. */
  lookOnly(named: readonly WorkspacePath[]): Promise<void> {
    const { capture, opening } = this.#parts;
    return capture.look({ named, suspects: this.#suspects(), circumstance: opening.circumstance });
  }

  /** Records what was found before and no running call can add to. */
  record(): Promise<readonly Operation[]> {
    return this.#record(this.openPlans(), [], 'person');
  }

  /** Whose work was seen of calls that go on without us is known now, and would not be on the next open. */
  async recordHeld(): Promise<readonly Operation[]> {
    await this.#parts.capture.judge([], this.#suspects());
    const committer = this.openPlans().some(({ opaque }) => opaque) ? 'anybody' : 'person';
    return this.#record([], [], committer);
  }

  /** Whether something was left for another look a moment later. */
  get isWaiting(): boolean {
    return this.#parts.capture.isWaiting;
  }

  /** What files held that are ahead of the log. */
  heldVersions(): Iterable<readonly [WorkspacePath, FileVersion | null]> {
    return this.#parts.capture.heldVersions();
  }

  /** Contents that were seen and that the log does not name yet. */
  heldContents(): Iterable<ContentId> {
    return this.#parts.capture.heldContents();
  }

  /** What the log stands for: the known files, with those that are ahead of it as they were. */
  recorded(): Iterable<FileState> {
    return this.#parts.capture.recorded();
  }

  /** All that may be at work now: the open calls, and what others left running. */
  #suspects(): readonly Suspect[] {
    return [...running(this.openPlans()), ...this.#parts.lingering.suspects()];
  }

  /** `stillOpen`: calls that go on after this, whose changes are held back. */
  async #track(
    { named = [], ...at }: LookAt,
    suspects: readonly Suspect[],
    stillOpen: readonly CallPlan[],
    say: Said,
  ): Promise<readonly Operation[]> {
    const { capture, opening } = this.#parts;
    // Whoever waits for stock in between finds it taken; what is found now was done before that.
    const { circumstance } = opening;
    await capture.look({ ...at, named, suspects, circumstance });
    // A running command may have made the commit itself, and an agent does not accept its own work.
    const committer = suspects.some(({ plan, ran }) => plan.opaque && ran === undefined) ? 'anybody' : 'person';
    await capture.judge(stillOpen, suspects);
    return this.#record(stillOpen, typeof say === 'function' ? say() : say, committer, circumstance);
  }

  async #record(
    stillOpen: readonly CallPlan[],
    say: readonly OperationBody[],
    committer: 'person' | 'anybody',
    circumstance = this.#parts.opening.circumstance,
  ): Promise<readonly Operation[]> {
    const { capture, recorder, live, head, opening, changesIn } = this.#parts;
    const cause = circumstance === 'offline' ? 'reconcile' : undefined;
    const move = await head.moved(opening.takingStock ? 'being read' : 'known');
    const commit = move?.commit ?? null;
    const ready = capture.held.takeReady(stillOpen);
    try {
      const recording = await recorder.prepare(ready, (link) =>
        this.#contextOf(link, move?.cause ?? this.#causeOf(link) ?? cause),
      );
      const byPerson = committer === 'person' && !stillOpen.some((plan) => plan.opaque) && !this.#mayBeAnAgents(move);
      const changes = commit === null || !byPerson ? [] : await changesIn(commit, move?.previous ?? null);
      const committed: OperationBody[] = commit === null ? [] : [{ kind: 'committed', head: commit, changes }];
      const operations = live.append([...recording.bodies, ...committed, ...say], recording);
      if (move !== null) this.#noted(move, stillOpen);
      return operations;
    } catch (error) {
      capture.held.putBack(ready);
      throw error;
    }
  }

  /** While nobody watched, a session that is not over may have been at work. */
  #mayBeAnAgents(move: HeadMove | null): boolean {
    if (move === null || move.cause !== undefined) return false;
    return [...this.#parts.live.views.sessions.sessions.values()].some(({ state }) => state === 'active');
  }

  #noted(move: HeadMove, stillOpen: readonly CallPlan[]): void {
    this.#parts.head.noted(move);
    const { cause } = move;
    for (const plan of stillOpen) if (plan.opaque && cause !== undefined) this.#causes.set(plan.key, cause);
  }

  #causeOf({ attribution: { author } }: Link): string | undefined {
    return callsOf(author)
      .map(({ session, call }) => this.#causes.get(callKey(session, call)))
      .find((cause) => cause !== undefined);
  }

  #contextOf({ attribution: { author, evidence } }: Link, why: string | undefined): RecordContext {
    // What was seen to happen was not found afterwards.
    const cause = why === 'reconcile' && (evidence === 'exact' || evidence === 'window') ? undefined : why;
    const call =
      author.kind === 'agent'
        ? this.#parts.live.views.sessions.openCalls.get(callKey(author.session, author.call))
        : undefined;
    return {
      ...(call?.turn === undefined ? {} : { turn: call.turn }),
      ...(call?.agentId === undefined ? {} : { agentId: call.agentId }),
      ...(call?.messageIndex === undefined ? {} : { messageIndex: call.messageIndex }),
      ...(cause === undefined ? {} : { cause }),
    };
  }
}

/** A call that cannot write is no suspect. */
function running(plans: readonly CallPlan[]): readonly Suspect[] {
  return plans.filter(canWrite).map((plan) => ({ plan, outcome: 'running' }));
}
