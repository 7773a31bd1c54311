import { type ChangeId, callKey, callsOf, type Link, type Operation, type OperationBody } from '@palimpsest/core';
import type { CallPlan } from './call-plan.js';
import type { Capture, Look } from './capture.js';
import type { HeadMove, HeadTracker } from './head.js';
import type { Journal } from './journal.js';
import type { Observer } from './observer.js';
import type { RecordContext, Recorder, Recording } from './recorder.js';

/** Looks at the world and writes down what it finds, in one entry of the log together with what the caller has to say. */
export class Tracker {
  readonly #capture: Capture;
  readonly #observer: Observer;
  readonly #recorder: Recorder;
  readonly #journal: Journal;
  readonly #head: HeadTracker;
  readonly #changesIn: (head: string, previous: string | null) => Promise<readonly ChangeId[]>;
  /** What git did while a command ran that is still running: its changes are recorded later, and it is their cause. */
  readonly #causes = new Map<string, string>();

  constructor(parts: {
    capture: Capture;
    observer: Observer;
    recorder: Recorder;
    journal: Journal;
    head: HeadTracker;
    /** The open changes that a commit holds and the one before did not. */
    changesIn: (head: string, previous: string | null) => Promise<readonly ChangeId[]>;
  }) {
    this.#capture = parts.capture;
    this.#observer = parts.observer;
    this.#recorder = parts.recorder;
    this.#journal = parts.journal;
    this.#head = parts.head;
    this.#changesIn = parts.changesIn;
  }

  /** `stillOpen`: calls that go on after this, whose changes are held back. `say` comes after what was found, and may rest on it. */
  async track(
    look: Look,
    stillOpen: readonly CallPlan[],
    say: readonly OperationBody[] | (() => readonly OperationBody[]) = [],
  ): Promise<readonly Operation[]> {
    await this.#capture.look(look);
    // A running command may have made the commit itself, and an agent does not accept its own work.
    const committer = look.suspects.some(({ plan, ran }) => plan.opaque && ran === undefined) ? 'anybody' : 'person';
    await this.#capture.judge(stillOpen, look.suspects);
    const said = typeof say === 'function' ? say() : say;
    return this.record(stillOpen, said, look.circumstance === 'offline' ? 'reconcile' : undefined, committer);
  }

  async record(
    stillOpen: readonly CallPlan[],
    say: readonly OperationBody[],
    cause?: string,
    committer: 'person' | 'anybody' = 'person',
  ): Promise<readonly Operation[]> {
    const previous = this.#head.commit;
    const move = await this.#head.moved();
    const commit = move?.commit ?? null;
    const ready = this.#capture.takeReady(stillOpen);
    try {
      const recording = await this.#recorder.record(ready, (link) =>
        this.#contextOf(link, move?.cause ?? this.#causeOf(link) ?? cause),
      );
      const byPerson = committer === 'person' && !stillOpen.some((plan) => plan.opaque);
      const changes = commit === null || !byPerson ? [] : await this.#changesIn(commit, previous);
      const committed: OperationBody[] = commit === null ? [] : [{ kind: 'committed', head: commit, changes }];
      const operations = this.say([...recording.bodies, ...committed, ...say], recording);
      if (move !== null) this.#noted(move, stillOpen);
      for (const body of say) if (body.kind === 'call-ended') this.#causes.delete(callKey(body.session, body.call));
      return operations;
    } catch (error) {
      this.#capture.putBack(ready);
      throw error;
    }
  }

  /** Writes down what needs no look, and with it what became known of files without a change. */
  say(
    bodies: readonly OperationBody[],
    { files, gone }: Pick<Recording, 'files' | 'gone'> = { files: [], gone: [] },
  ): readonly Operation[] {
    if (bodies.length === 0) return [];
    const touched = this.#observer.touched().filter(({ path }) => !this.#capture.holds(path));
    const operations = this.#journal.append(bodies, [...touched, ...files], gone);
    this.#observer.stored();
    return operations;
  }

  /** What became known of more files than `limit` is not stored with an entry: the caller stores the whole table. */
  leaveOut(limit: number): 'left out' | 'few enough' {
    if (this.#observer.touchedCount <= limit) return 'few enough';
    this.#observer.stored();
    return 'left out';
  }

  #noted(move: HeadMove, stillOpen: readonly CallPlan[]): void {
    this.#head.noted(move);
    for (const plan of stillOpen) if (plan.opaque) this.#causes.set(plan.key, move.cause);
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
        ? this.#journal.views.sessions.openCalls.get(callKey(author.session, author.call))
        : undefined;
    return {
      ...(call?.turn === undefined ? {} : { turn: call.turn }),
      ...(call?.agentId === undefined ? {} : { agentId: call.agentId }),
      ...(call?.messageIndex === undefined ? {} : { messageIndex: call.messageIndex }),
      ...(cause === undefined ? {} : { cause }),
    };
  }
}
