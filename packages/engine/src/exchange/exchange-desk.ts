import { failed, type Outcome, ok, type SessionState, type TaskDialect } from '@palimpsest/core';
import type { SerialQueue } from '../basis/queue.js';
import type { Refusal } from '../basis/refusal.js';
import type { SessionDesk } from '../call/session-desk.js';
import { Exchange, type ExchangeFile, type ExchangeParts } from './exchange.js';
import type { Imported } from './imported.js';
import type { FolderFile, TaskImport } from './task-import.js';

/** To and from the formats of others. */
export interface ExchangeVerbs {
  /** `task_metadata.json`, in Roo's or in Cline's field names. */
  exportTaskMetadata(session: string, dialect: TaskDialect): Outcome<ExchangeFile, Refusal>;
  importTaskMetadata(session: string, text: string): Promise<Outcome<Imported, Refusal>>;
  /** A folder of Roo or Cline with all that was said; messages that are here already are passed over. */
  importTask(session: string, files: readonly FolderFile[]): Promise<Outcome<TaskImport, Refusal>>;
  /** Byte for byte what was taken over, and in the same form what came since. */
  exportTask(session: string, dialect: TaskDialect): Promise<Outcome<TaskExport, Refusal>>;
  /** One JSON file per change. */
  exportChangeRecords(session: string): Promise<Outcome<readonly ExchangeFile[], Refusal>>;
  importChangeRecords(session: string, texts: readonly string[]): Promise<Outcome<Imported, Refusal>>;
}

/** `legacy`: what the old file held when it was taken over; one that holds just that may go once the new ones are written. */
export type TaskExport = { readonly files: readonly FolderFile[]; readonly legacy: Uint8Array | null };

type ExchangeDeskParts = Omit<ExchangeParts, 'become'> & {
  readonly queue: SerialQueue;
  readonly sessions: SessionDesk;
};

export function openExchange({ queue, sessions, ...parts }: ExchangeDeskParts): ExchangeVerbs {
  const exchange = new Exchange({
    ...parts,
    become: (id, facts) => void sessions.start({ id, ...facts }),
  });
  return new ExchangeDesk(exchange, queue, sessions);
}

/** Finds the session that is meant, and queues what changes anything. */
class ExchangeDesk implements ExchangeVerbs {
  readonly #exchange: Exchange;
  readonly #queue: SerialQueue;
  readonly #sessions: SessionDesk;

  constructor(exchange: Exchange, queue: SerialQueue, sessions: SessionDesk) {
    this.#exchange = exchange;
    this.#queue = queue;
    this.#sessions = sessions;
  }

  readonly exportTaskMetadata: ExchangeVerbs['exportTaskMetadata'] = (session, dialect) => {
    const found = this.#known(session);
    return found.ok ? ok(this.#exchange.taskMetadata(found.value, dialect)) : found;
  };

  readonly importTaskMetadata: ExchangeVerbs['importTaskMetadata'] = (session, text) =>
    this.#into(session, async (to) => this.#exchange.importTaskMetadata(to, text));

  readonly importTask: ExchangeVerbs['importTask'] = (session, files) => {
    const isNew = this.#sessions.find(session) === null;
    return this.#into(session, async (to) => {
      const taken = await this.#exchange.importTask(to, files);
      // Nobody works on what is only read.
      if (isNew) this.#sessions.end(to.id);
      return taken;
    });
  };

  readonly exportTask: ExchangeVerbs['exportTask'] = async (session, dialect) => {
    const found = this.#known(session);
    if (!found.ok) return found;
    const files = await this.#exchange.task(found.value, dialect);
    return ok({ files, legacy: await this.#exchange.takenLegacy(found.value) });
  };

  readonly exportChangeRecords: ExchangeVerbs['exportChangeRecords'] = async (session) => {
    const found = this.#known(session);
    return found.ok ? ok(await this.#exchange.changeRecords(found.value)) : found;
  };

  readonly importChangeRecords: ExchangeVerbs['importChangeRecords'] = (session, texts) =>
    this.#into(session, (to) => this.#exchange.importChangeRecords(to, texts));

  /** A session that is not known yet starts with what is taken over. */
  #into<T>(
    session: string,
    take: (session: SessionState) => Promise<Outcome<T, Refusal>>,
  ): Promise<Outcome<T, Refusal>> {
    return this.#queue.ask(async () => {
      const found = this.#sessions.ensure(session, undefined);
      return found.ok ? take(found.value) : found;
    });
  }

  #known(session: string): Outcome<SessionState, Refusal> {
    const found = this.#sessions.find(session);
    return found === null ? failed({ code: 'unknown-session', session }) : ok(found);
  }
}
