import { callKey, type Link, type Operation, type OperationBody } from '@palimpsest/core';
import type { CallPlan } from './call-plan.js';
import type { Capture, Look } from './capture.js';
import type { HeadTracker } from './head.js';
import type { Journal } from './journal.js';
import type { Observer } from './observer.js';
import type { RecordContext, Recorder } from './recorder.js';

/** Looks at the world and writes down what it finds, in one entry of the log together with what the caller has to say. */
export class Tracker {
  readonly #capture: Capture;
  readonly #observer: Observer;
  readonly #recorder: Recorder;
  readonly #journal: Journal;
  readonly #head: HeadTracker;

  constructor(parts: {
    capture: Capture;
    observer: Observer;
    recorder: Recorder;
    journal: Journal;
    head: HeadTracker;
  }) {
    this.#capture = parts.capture;
    this.#observer = parts.observer;
    this.#recorder = parts.recorder;
    this.#journal = parts.journal;
    this.#head = parts.head;
  }

  /** `stillOpen`: calls that go on after this, whose changes are held back. `say` comes after what was found. */
  async track(
    look: Look,
    stillOpen: readonly CallPlan[],
    say: readonly OperationBody[] = [],
  ): Promise<readonly Operation[]> {
    await this.#capture.look(look);
    return this.record(stillOpen, say, look.circumstance === 'offline' ? 'reconcile' : undefined);
  }

  async record(
    stillOpen: readonly CallPlan[],
    say: readonly OperationBody[],
    cause?: string,
  ): Promise<readonly Operation[]> {
    const move = await this.#head.moved();
    const ready = this.#capture.takeReady(stillOpen);
    try {
      const why = move?.cause ?? cause;
      const recording = await this.#recorder.record(ready, (link) => this.#contextOf(link, why));
      const committed: OperationBody[] = move?.commit ? [{ kind: 'committed', head: move.commit, changes: [] }] : [];
      const touched = this.#observer.takeTouched().filter(({ path }) => !this.#capture.holds(path));
      const files = [...touched, ...recording.files];
      return this.#journal.append([...recording.bodies, ...committed, ...say], files, recording.gone);
    } catch (error) {
      this.#capture.putBack(ready);
      throw error;
    }
  }

  #contextOf({ attribution: { author } }: Link, cause: string | undefined): RecordContext {
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
