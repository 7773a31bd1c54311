import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Author,
  type CallEnded,
  type Operation,
  type Seq,
  type SessionId,
  sessionOfOperation,
} from '@palimpsest/core';
import type { Journal } from '../journal.js';
import type { SerialQueue } from '../queue.js';
import type { CheckpointSettings } from '../settings.js';
import { HISTORY_KINDS, type Moment } from './moment.js';
import type { Saver } from './saver.js';

export type AutosaveParts = {
  readonly journal: Journal;
  readonly queue: SerialQueue;
  readonly saver: Saver;
  readonly settings: CheckpointSettings;
  /** A look at the world, inside the queue. */
  readonly look: () => Promise<void>;
  readonly onFault: (error: unknown) => void;
};

/** Saves that become due within this time are made together. */
const SAVE_AFTER_MS = 40;

type Owed =
  | { readonly kind: 'start' | 'prompt'; readonly session: SessionId; readonly seq: Seq }
  | { readonly kind: 'call'; readonly ended: Operation & CallEnded };

/**
 * Saves by itself what the log gives reason for: the start of a session, a prompt, a call that changed files. It saves
 * right after the answer was given, so that no call waits for it, and still saves the state of that moment: what
 * happened since is in the log and is left out. Before the trees are built nothing is saved, but nothing is forgotten.
 */
export class Autosave {
  readonly #parts: AutosaveParts;
  readonly #owed: Owed[] = [];
  #paying: Promise<void> = Promise.resolve();
  #scheduled = false;
  #stopped = false;
  #begun = false;
  readonly #unsubscribe: () => void;

  constructor(parts: AutosaveParts) {
    this.#parts = parts;
    this.#unsubscribe = parts.settings.automatic
      ? parts.journal.subscribe((operations) => this.#hear(operations))
      : () => undefined;
  }

  /** Resolves when everything owed so far is saved, unless the trees are not built yet. */
  async settled(): Promise<void> {
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
      const owed = owedFor(operation);
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
    const { journal, saver, look } = this.#parts;
    const latest = this.#owed.at(-1);
    let looked: Seq | 0 | null = null;
    // What a person did just before a prompt may not have been seen yet; the agent cannot have acted on it.
    if (latest !== undefined && latest.kind !== 'call' && latest.seq === journal.log.last) {
      await look();
      looked = journal.log.last;
    }
    this.#scheduled = false;
    const owed = this.#owed.splice(0);
    const moments = owed.flatMap((one) => this.#momentsOf(one, one === latest ? looked : null));
    if (moments.length > 0) await saver.save(moments);
  }

  #momentsOf(owed: Owed, looked: Seq | 0 | null): readonly Moment[] {
    if (owed.kind === 'call') return this.#aroundCall(owed.ended);
    return [{ asOf: looked ?? owed.seq, reason: owed.kind, session: owed.session }];
  }

  /** Before and after a call, if it changed anything. */
  #aroundCall({ session, call, seq }: Operation & CallEnded): readonly Moment[] {
    const { log } = this.#parts.journal;
    const began = log.find({ session, call, kinds: ['call-began'], newestFirst: true, before: seq, limit: 1 })[0];
    if (began === undefined) return [];
    const since = log.find({ kinds: HISTORY_KINDS, since: began.seq });
    const changed = since.some((operation) => 'author' in operation && mayBeOf(operation.author, session, call));
    if (!changed) return [];
    return [
      { asOf: began.seq, reason: 'before-tool', session, call },
      { asOf: seq, reason: 'after-tool', session, call },
    ];
  }
}

function owedFor(operation: Operation): Owed | null {
  const session = sessionOfOperation(operation);
  switch (operation.kind) {
    case 'session-started':
      return { kind: 'start', session: session!, seq: operation.seq };
    case 'prompted':
      return { kind: 'prompt', session: session!, seq: operation.seq };
    case 'call-ended':
      return operation.outcome === 'denied' ? null : { kind: 'call', ended: operation };
    default:
      return null;
  }
}

function mayBeOf(author: Author, session: string, call: string): boolean {
  if (author.kind === 'agent') return author.session === session && author.call === call;
  return (
    author.kind === 'unknown' &&
    author.candidates.some((candidate) => candidate.session === session && candidate.call === call)
  );
}
