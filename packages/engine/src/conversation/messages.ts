import {
  abandonedBranches,
  type HistoryName,
  isInRanges,
  type KeptJson,
  type MessageAdded,
  type MessageRange,
  messageRanges,
  type Operation,
  type Outcome,
  ok,
  type Seq,
  type SessionId,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type { ContentStore } from '../content/content.js';
import { keepJson, keptText } from '../content/kept-json.js';
import type { LiveLog } from '../store/live-log.js';
import { type KeptMessage, keptMessage, type NewMessage, type ParsedMessage, parseNewMessage } from './message.js';

export type MessageQuery = {
  readonly history?: HistoryName | undefined;
  /** A branch that was left, by its number; without it, the present one. */
  readonly branch?: number | undefined;
  /** Only messages after this operation. */
  readonly after?: number | undefined;
  /** Only messages up to this operation, itself included. */
  readonly upTo?: number | undefined;
  /** The first so many of them; with `newest`, the last so many. They come oldest first in any case. */
  readonly limit?: number | undefined;
  readonly newest?: boolean | undefined;
};

/** `messages`: those that stand in no other branch that was begun later. */
export type AbandonedBranch = {
  readonly branch: number;
  readonly messages: number;
  readonly first: Seq;
  readonly last: Seq;
};

/** Bodies that are read from the store at once. */
const READ_AT_ONCE = 256;
/** Operations that are taken from the log at once while those of one history are looked for. */
const FOUND_AT_ONCE = 1_000;

/** The messages of conversations, in the log and the store. Nothing of them is held here. */
export class Messages {
  readonly #live: LiveLog;
  readonly #content: ContentStore;

  constructor(live: LiveLog, content: ContentStore) {
    this.#live = live;
    this.#content = content;
  }

  /** All of them or none; on disk when it resolves. Inside the queue. */
  async add(session: SessionId, given: readonly NewMessage[]): Promise<Outcome<readonly KeptMessage[], Refusal>> {
    const messages: ParsedMessage[] = [];
    for (const [index, one] of given.entries()) {
      const parsed = parseNewMessage(one, session, index);
      if (!parsed.ok) return parsed;
      messages.push(parsed.value);
    }
    const bodies: KeptJson[] = [];
    for (const { json } of messages) bodies.push(await keepJson(json, this.#content));
    const first = this.#live.log.last + 1;
    const operations = messages.map(({ operation }, index) => operation(bodies[index]!, first));
    const added = this.#live.append(operations);
    return ok(added.map((one, index) => keptMessage(one as Operation & MessageAdded, messages[index]!.json)));
  }

  /** Oldest first. Reading changes nothing, and sees what was true when it began. */
  async read(session: SessionId, query: MessageQuery = {}): Promise<readonly KeptMessage[]> {
    const operations = this.find(session, query);
    const messages: KeptMessage[] = [];
    for (let at = 0; at < operations.length; at += READ_AT_ONCE) {
      const some = operations.slice(at, at + READ_AT_ONCE);
      messages.push(...(await Promise.all(some.map((one) => this.withText(one)))));
    }
    return messages;
  }

  async withText(operation: Operation & MessageAdded): Promise<KeptMessage> {
    const { body } = operation;
    return keptMessage(operation, body === null ? null : await keptText(body, this.#content));
  }

  find(session: SessionId, query: MessageQuery = {}): readonly (Operation & MessageAdded)[] {
    const conversation = this.#live.views.conversations.sessions.get(session);
    if (conversation === undefined) return [];
    const ranges = messageRanges(conversation, query.branch).flatMap((range) => within(range, query));
    const limit = query.limit ?? Number.POSITIVE_INFINITY;
    const found: (Operation & MessageAdded)[] = [];
    for (const range of query.newest === true ? ranges.toReversed() : ranges) {
      for (const message of this.#inRange(session, range, query)) {
        if (found.length >= limit) break;
        found.push(message);
      }
    }
    return query.newest === true ? found.reverse() : found;
  }

  hasBranch(session: SessionId, branch: number): boolean {
    return this.#live.views.conversations.sessions.get(session)?.branches[branch] !== undefined;
  }

  /** Branches that were left with messages of their own, each with those that are not in the present one. */
  abandoned(session: SessionId): readonly AbandonedBranch[] {
    const conversation = this.#live.views.conversations.sessions.get(session);
    if (conversation === undefined) return [];
    const present = messageRanges(conversation);
    return abandonedBranches(conversation).flatMap((branch) => {
      const { from } = conversation.branches[branch]!;
      const left = this.find(session, { branch, after: from }).filter(({ seq }) => !isInRanges(present, seq));
      const [first, last] = [left[0], left.at(-1)];
      return first === undefined || last === undefined
        ? []
        : [{ branch, messages: left.length, first: first.seq, last: last.seq }];
    });
  }

  *#inRange(session: SessionId, range: MessageRange, query: MessageQuery): Generator<Operation & MessageAdded> {
    const { log } = this.#live;
    let [after, before] = [range.after, range.upTo === null ? undefined : ((range.upTo + 1) as Seq)];
    const limit = Math.min(query.limit ?? FOUND_AT_ONCE, FOUND_AT_ONCE);
    for (;;) {
      const some = log.find({
        ...{ kinds: ['message-added'], session, since: after, limit, newestFirst: query.newest === true },
        ...(before === undefined ? {} : { before }),
      });
      for (const operation of some) {
        if (operation.kind !== 'message-added') continue;
        if (query.history === undefined || operation.history === query.history) yield operation;
      }
      if (some.length < limit) return;
      if (query.newest === true) before = some.at(-1)!.seq;
      else after = some.at(-1)!.seq;
    }
  }
}

/** What of a range is asked for. */
function within({ after, upTo }: MessageRange, query: MessageQuery): readonly MessageRange[] {
  const from = Math.max(after, query.after ?? 0) as Seq | 0;
  const to = Math.min(upTo ?? Number.MAX_SAFE_INTEGER, query.upTo ?? Number.MAX_SAFE_INTEGER) as Seq;
  return to <= from ? [] : [{ after: from, upTo: to === Number.MAX_SAFE_INTEGER ? null : to }];
}
