import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CallEnded,
  type Candidate,
  callKey,
  callsOf,
  HISTORY_KINDS,
  type Operation,
  type Seq,
  type SessionId,
} from '@palimpsest/core';
import type { SerialQueue } from '../basis/queue.js';
import type { CheckpointSettings } from '../basis/settings.js';
import type { LiveLog } from '../store/live-log.js';
import type { Moment } from './moment.js';
import type { Saver } from './saver.js';

type AutosaveParts = {
  readonly live: LiveLog;
  readonly queue: SerialQueue;
  readonly saver: Saver;
  readonly settings: CheckpointSettings;
  /** A look at the world, inside the queue. */
  readonly look: () => Promise<void>;
  readonly onFault: (error: unknown) => void;
};

/** Debounce: saves that become due within this time are made together. */
const SAVE_AFTER_MS = 100;

type OwedCall = { readonly kind: 'call'; readonly ended: Operation & CallEnded; readonly began: Seq };
type Owed = { readonly kind: 'start' | 'prompt'; readonly session: SessionId; readonly seq: Seq } | OwedCall;

/**
 * Saves by itself what the log gives reason for: the start of a session, a prompt, a call that changed files. It saves
 * right after the answer was given, so that no call waits for it, and still saves the state of that moment: what
 * happened since is in the log and is left out. Before the trees are built nothing is saved, but nothing is forgotten.
 */
export class Autosave {
  readonly #parts: AutosaveParts;
  readonly #owed: Owed[] = [];
  /** Where the calls began that have not ended yet. */
  readonly #began = new Map<string, Seq>();
  #paying: Promise<void> = Promise.resolve();
  #scheduled = false;
  #stopped = false;
  #begun = false;
  readonly #unsubscribe: () => void;

  constructor(parts: AutosaveParts) {
    this.#parts = parts;
    this.#unsubscribe = parts.settings.automatic
      ? parts.live.subscribe((operations) => this.#hear(operations))
      : () => undefined;
  }

  /** Resolves when everything owed so far is saved, unless the trees are not built yet. */
  async paid(): Promise<void> {
    await this.#paying;
  }

  get owes(): boolean {
    return this.#owed.length > 0;
  }

  /** To be called once, when states can be saved. */
  begin(): void {
    this.#begun = true;
    if (this.#owed.length > 0) this.#schedule();
  }

  stop(): void {
    this.#stopped = true;
    this.#unsubscribe();
  }

  #hear(operations: readonly Operation[]): void {
    for (const operation of operations) {
      const owed = this.#owedFor(operation);
      if (owed !== null) this.#owed.push(owed);
    }
    if (this.#owed.length > 0) this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#stopped || !this.#begun) return;
    this.#scheduled = true;
    // A moment later, so that neither the answer that gave the reason nor a call right behind it waits for the saving.
    this.#paying = sleep(SAVE_AFTER_MS)
      .then(() => this.#parts.queue.run(() => this.pay()))
      .catch((error: unknown) => this.#parts.onFault(error));
  }

  /** Saves what is owed. Inside the queue: also for whoever saves something later, so that all come in order. */
  async pay(): Promise<void> {
    const { live, saver, look } = this.#parts;
    const latest = this.#owed.at(-1);
    let looked: Seq | 0 | null = null;
    // What a person did just before a prompt may not have been seen yet; the agent cannot have acted on it.
    if (latest !== undefined && latest.kind !== 'call' && latest.seq === live.log.last) {
      await look();
      looked = live.log.last;
    }
    this.#scheduled = false;
    const owed = this.#owed.splice(0);
    const history = this.#historyOf(owed);
    const moments = owed.flatMap((one) => momentsOf(one, one === latest ? looked : null, history));
    if (moments.length > 0) await saver.save(moments);
  }

  /** Who changed what since the first of the calls began. */
  #historyOf(owed: readonly Owed[]): readonly Operation[] {
    const begins = owed.flatMap((one) => (one.kind === 'call' ? [one.began] : []));
    if (begins.length === 0) return [];
    return this.#parts.live.log.find({ kinds: HISTORY_KINDS, since: Math.min(...begins) as Seq });
  }

  #owedFor(operation: Operation): Owed | null {
    switch (operation.kind) {
      case 'session-started':
        return { kind: 'start', session: operation.session, seq: operation.seq };
      case 'prompted':
        return { kind: 'prompt', session: operation.session, seq: operation.seq };
      case 'call-began':
        // One that was denied never ends.
        if (operation.decision !== 'deny') this.#began.set(callKey(operation.session, operation.call), operation.seq);
        return null;
      case 'call-ended': {
        const key = callKey(operation.session, operation.call);
        const began = this.#began.get(key) ?? this.#beganInLog(operation);
        this.#began.delete(key);
        return began === null ? null : { kind: 'call', ended: operation, began };
      }
      default:
        return null;
    }
  }

  /** For a call that began before this was opened. */
  #beganInLog({ session, call, seq }: Operation & CallEnded): Seq | null {
    const query = { session, call, kinds: ['call-began'], newestFirst: true, before: seq, limit: 1 } as const;
    return this.#parts.live.log.find(query)[0]?.seq ?? null;
  }
}

function momentsOf(owed: Owed, looked: Seq | 0 | null, history: readonly Operation[]): readonly Moment[] {
  if (owed.kind === 'call') return aroundCall(owed, history);
  return [{ asOf: looked ?? owed.seq, reason: owed.kind, session: owed.session }];
}

/** Before and after a call, if it changed anything. */
function aroundCall({ ended, began }: OwedCall, history: readonly Operation[]): readonly Moment[] {
  const { session, call, seq } = ended;
  const isOfCall = (one: Candidate) => one.session === session && one.call === call;
  const changed = history.some(
    (operation) => operation.seq > began && 'author' in operation && callsOf(operation.author).some(isOfCall),
  );
  if (!changed) return [];
  return [
    { asOf: began, reason: 'before-tool', session, call },
    { asOf: seq, reason: 'after-tool', session, call },
  ];
}
