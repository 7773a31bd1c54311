import {
  AUTHORED_KINDS,
  type ChangeId,
  type ChangeStatus,
  DECISION_KINDS,
  entriesOf,
  type FileVersion,
  failed,
  foldAll,
  formatUnified,
  indexOfChange,
  isForReview,
  type Operation,
  type Outcome,
  ok,
  parseChangeId,
  parseOperationName,
  type ReviewEntry,
  reviewView,
  type Seq,
  seqOfChange,
  type WorkspacePath,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type { ContentStore } from '../content/content.js';
import type { LiveLog } from '../store/live-log.js';
import { measure } from '../store/measure.js';
import { isAt, isFrom, type Meant, type Whence } from './meant.js';

export type ChangesRequest = Whence & {
  /** The id of one, or `c7` for all of operation 7. */
  readonly change?: string | undefined;
  /** Without it, what is pending or in conflict. `all` also lists what was never up for review. */
  readonly status?: ChangeStatus | 'all' | undefined;
  readonly limit?: number | undefined;
};

type ChangesQuery = Meant & Pick<ChangesRequest, 'status' | 'limit'> & { readonly operation: Seq | null };

const CHANGES_LIMIT = 100_000;

/** Finds changes: what is under review in memory, what is settled in the log. Oldest first. */
export class Changes {
  readonly #live: LiveLog;
  readonly #content: ContentStore;

  constructor(live: LiveLog, content: ContentStore) {
    this.#live = live;
    this.#content = content;
  }

  /** By name, whatever its status; otherwise all of that status. */
  async find(request: ChangesRequest, meant: Meant): Promise<Outcome<readonly ReviewEntry[], Refusal>> {
    const { change, status, limit } = request;
    const operation = change === undefined ? null : parseOperationName(change);
    if (change === undefined || operation !== null) {
      const found = await this.list({
        ...{ ...meant, operation },
        ...(status === undefined ? {} : { status }),
        ...(limit === undefined ? {} : { limit }),
      });
      if (found.length > 0 || change === undefined) return ok(found);
      return failed({ code: 'unknown-change', change });
    }
    const id = parseChangeId(change);
    if (!id.ok) return id;
    const entry = await this.get(id.value);
    if (entry === null) return failed({ code: 'unknown-change', change });
    const isMeant = isFrom(entry, meant) && isAt(entry, meant.place);
    return isMeant ? ok([entry]) : failed({ code: 'no-match', what: 'change', name: change, like: [] });
  }

  async list(query: ChangesQuery): Promise<readonly ReviewEntry[]> {
    const { status } = query;
    const atHand = status === undefined || status === 'pending' || status === 'conflict';
    const found = atHand ? this.#underReview(query) : this.#inLog(query);
    return Promise.all(found.slice(-(query.limit ?? CHANGES_LIMIT)).map((entry) => this.#measured(entry)));
  }

  /** The changes that these operations recorded, as they stand now. */
  of(operations: readonly Operation[]): Promise<readonly ReviewEntry[]> {
    const entries = new Map<ChangeId, ReviewEntry>();
    for (const operation of operations) {
      for (const entry of entriesOf(operation)) {
        entries.set(entry.id, this.#live.views.review.entries.get(entry.id) ?? this.#settled(operation, entry));
      }
    }
    return Promise.all([...entries.values()].map((entry) => this.#measured(entry)));
  }

  async get(id: ChangeId): Promise<ReviewEntry | null> {
    const atHand = this.#live.views.review.entries.get(id);
    if (atHand !== undefined) return this.#measured(atHand);
    const operation = this.#live.log.get(seqOfChange(id));
    const entry = operation === null ? undefined : entriesOf(operation)[indexOfChange(id)];
    return entry === undefined ? null : this.#measured(this.#settled(operation!, entry));
  }

  /** A unified diff. */
  async patch({ file: { path, fromPath, before, after } }: ReviewEntry): Promise<Outcome<Uint8Array, Refusal>> {
    const [old, next] = await Promise.all([this.#side(fromPath ?? path, before), this.#side(path, after)]);
    if (old === 'gone' || next === 'gone')
      return failed({ code: 'unknown-content', content: (before ?? after)?.content ?? '' });
    return ok(formatUnified(old, next));
  }

  async #side(path: WorkspacePath, version: FileVersion | null) {
    if (version === null) return null;
    const found = await this.#content.get(version.content);
    return found.ok ? { path, bytes: found.value, mode: version.mode } : ('gone' as const);
  }

  #underReview(query: ChangesQuery): ReviewEntry[] {
    const wanted = query.status ?? 'open';
    return [...this.#live.views.review.entries.values()].filter((entry) => {
      const open = entry.status === 'pending' || entry.status === 'conflict';
      return (wanted === 'open' ? open : entry.status === wanted) && matches(entry, query);
    });
  }

  #inLog(query: ChangesQuery): ReviewEntry[] {
    const { session, call, place, operation: seq, status } = query;
    const { log } = this.#live;
    const entries = new Map<ChangeId, ReviewEntry>();
    // A name that was a file's is found by its index; a folder or a pattern has to be looked for in all of them.
    const path = place?.path ?? null;
    const isFile = path !== null && log.find({ path, limit: 1 }).length > 0;
    const operations = log.find({
      kinds: AUTHORED_KINDS,
      ...(session === null ? {} : { session }),
      ...(call === null ? {} : { call }),
      ...(isFile ? { path } : {}),
      ...(seq === null ? {} : { since: (seq - 1) as Seq | 0, before: (seq + 1) as Seq }),
    });
    for (const operation of operations) {
      for (const entry of entriesOf(operation)) {
        const current = this.#live.views.review.entries.get(entry.id) ?? this.#settled(operation, entry);
        if (matches(current, query) && (status === 'all' || isSettledAs(current, status)))
          entries.set(current.id, current);
      }
    }
    return [...entries.values()];
  }

  /** A change settled so long ago that the view let it go: its fate is folded from the log. */
  #settled(operation: Operation, entry: ReviewEntry): ReviewEntry {
    if (!isForReview(entry.author)) return entry;
    const decisions = this.#live.log.find({ kinds: DECISION_KINDS, since: operation.seq });
    return foldAll(reviewView, [operation, ...decisions]).state.entries.get(entry.id) ?? entry;
  }

  /** Very large recordings leave measuring to whoever looks. */
  async #measured(entry: ReviewEntry): Promise<ReviewEntry> {
    const { file } = entry;
    const unmeasured =
      file.spans.length === 0 && !file.binary && file.reversible && file.before?.content !== file.after?.content;
    if (!unmeasured) return entry;
    const measured = await measure(this.#content, file.before, file.after);
    const [whole] = entriesOf({
      ...entry,
      kind: 'attributed',
      changes: [{ id: entry.id, file: { ...file, ...measured } }],
    } as Operation);
    return {
      ...whole!,
      status: entry.status,
      turn: entry.turn,
      cause: entry.cause,
      agentId: entry.agentId,
      messageIndex: entry.messageIndex,
    };
  }
}

/** What was never up for review is listed by no verdict. */
function isSettledAs(entry: ReviewEntry, status: ChangesQuery['status']): boolean {
  return isForReview(entry.author) && entry.status === status;
}

function matches(entry: ReviewEntry, query: ChangesQuery): boolean {
  return (
    (query.operation === null || entry.seq === query.operation) && isFrom(entry, query) && isAt(entry, query.place)
  );
}
