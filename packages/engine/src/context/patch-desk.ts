import {
  AUTHORED_KINDS,
  type ChangeId,
  clearedUpTo,
  failed,
  type Outcome,
  ok,
  PATCHES_LIMIT,
  type Patch,
  parseChangeId,
  patchesIn,
  patchesOf,
  type ReviewEntry,
  type SessionId,
  seqOfChange,
} from '@palimpsest/core';
import type { SerialQueue } from '../basis/queue.js';
import type { Refusal } from '../basis/refusal.js';
import type { Changes } from '../review/changes.js';
import { type MeantParts, type Place, understand } from '../review/meant.js';
import type { LiveLog } from '../store/live-log.js';

/** `session`: its id, or how only that one begins; without it, of all sessions. */
export type PatchesRequest = {
  readonly session?: string | undefined;
  /** Of the file, folder or pattern. */
  readonly path?: string | undefined;
};

/** What one call did to one file. `number` is its place in the list it was asked for in, the latest being 1. */
export type LedgerEntry = Patch & {
  readonly number: number;
  readonly status: ReviewEntry['status'];
  readonly summary: string;
};

/** `beyond`: there are more than are listed; the log has all of them. */
export type PatchList = { readonly patches: readonly LedgerEntry[]; readonly beyond: boolean };
export type ShownPatch = LedgerEntry & {
  readonly diff: string;
  /** The diff was longer than what is shown of it. */
  readonly cut: boolean;
};

/** Of all diffs that are shown at once. */
export const PATCHES_BYTES_LIMIT = 200 * 1024;

/** The ledger of what agents' calls did to files. */
export interface PatchVerbs {
  /** The latest, newest first. */
  list(request?: PatchesRequest): Promise<Outcome<PatchList, Refusal>>;
  /** `which`: a number as it was listed, the id of a change, or the path of files. */
  show(which: string, request?: PatchesRequest): Promise<Outcome<readonly ShownPatch[], Refusal>>;
  /** The list begins anew; what it listed stays in the log. */
  clear(request?: PatchesRequest): Promise<Outcome<{ readonly cleared: number }, Refusal>>;
}

/** A view has the latest, the log the rest. */
export class PatchDesk implements PatchVerbs {
  readonly #live: LiveLog;
  readonly #changes: Changes;
  readonly #meant: MeantParts;
  readonly #queue: SerialQueue;

  constructor(changes: Changes, queue: SerialQueue, meant: MeantParts) {
    this.#live = meant.live;
    this.#changes = changes;
    this.#queue = queue;
    this.#meant = meant;
  }

  async list(request: PatchesRequest = {}): Promise<Outcome<PatchList, Refusal>> {
    const meant = understand(request, this.#meant);
    if (!meant.ok) return meant;
    const { session, place } = meant.value;
    const found = place === null ? this.#latest(session) : this.#inLog(session, place);
    const shown = found.slice(0, PATCHES_LIMIT);
    const patches = await Promise.all(shown.map((patch, at) => this.#entry(patch, at + 1)));
    return ok({ patches, beyond: found.length > shown.length });
  }

  async show(which: string, { session }: PatchesRequest = {}): Promise<Outcome<readonly ShownPatch[], Refusal>> {
    const number = /^\d{1,9}$/.test(which) ? Number(which) : null;
    const id = parseChangeId(which);
    const isPath = number === null && !id.ok;
    const listed = await this.list({ session, ...(isPath ? { path: which } : {}) });
    if (!listed.ok) return listed;
    if (id.ok) return this.#shown(which, await this.#byId(id.value));
    const { patches } = listed.value;
    const wanted = number === null ? patches : patches.filter((patch) => patch.number === number);
    return this.#shown(which, wanted);
  }

  clear({ session }: PatchesRequest = {}): ReturnType<PatchVerbs['clear']> {
    return this.#queue.ask(async () => {
      const meant = understand({ session }, this.#meant);
      if (!meant.ok) return meant;
      const cleared = Math.min(this.#latest(meant.value.session).length, PATCHES_LIMIT);
      this.#live.append([{ kind: 'patches-cleared', session: meant.value.session }]);
      return ok({ cleared });
    });
  }

  /** The newest first, and one more than is listed where there are more. */
  #latest(session: SessionId | null): readonly Patch[] {
    const { patches } = this.#live.views;
    const recent = patchesOf(patches, session);
    if (recent.length < PATCHES_LIMIT) return recent;
    const oldest = recent.at(-1)!;
    const earlier = this.#live.log.find({
      kinds: AUTHORED_KINDS,
      ...(session === null ? {} : { session }),
      before: seqOfChange(oldest.id),
      newestFirst: true,
      limit: EARLIER_LIMIT,
    });
    const more = earlier.flatMap(patchesIn).find((patch) => this.#counts(patch));
    return more === undefined ? recent : [...recent, more];
  }

  #inLog(session: SessionId | null, { holds, path }: Place): readonly Patch[] {
    const { log } = this.#live;
    const isFile = path !== null && log.find({ path, limit: 1 }).length > 0;
    const operations = log.find({
      kinds: AUTHORED_KINDS,
      ...(session === null ? {} : { session }),
      ...(isFile ? { path } : {}),
      newestFirst: true,
    });
    const found = new Map<ChangeId, Patch>();
    for (const patch of operations.flatMap((operation) => patchesIn(operation).toReversed())) {
      const isThere = holds(patch.path) || (patch.fromPath !== undefined && holds(patch.fromPath));
      if (isThere && this.#counts(patch) && !found.has(patch.id)) found.set(patch.id, patch);
    }
    return [...found.values()];
  }

  #counts({ id, session }: Patch): boolean {
    return seqOfChange(id) > clearedUpTo(this.#live.views.patches, session);
  }

  async #byId(id: ChangeId): Promise<readonly LedgerEntry[]> {
    const operation = this.#live.log.get(seqOfChange(id));
    const patch = (operation === null ? [] : patchesIn(operation)).find((one) => one.id === id);
    return patch === undefined ? [] : [await this.#entry(patch, 0)];
  }

  async #entry(patch: Patch, number: number): Promise<LedgerEntry> {
    const entry = await this.#changes.get(patch.id);
    const measured = entry === null ? patch : { ...patch, ...linesOf(entry) };
    return { ...measured, number, status: entry?.status ?? 'pending', summary: summaryOf(measured) };
  }

  async #shown(which: string, entries: readonly LedgerEntry[]): ReturnType<PatchVerbs['show']> {
    if (entries.length === 0) return failed({ code: 'no-match', what: 'patch', name: which, like: [] });
    const shown: ShownPatch[] = [];
    let room = PATCHES_BYTES_LIMIT;
    for (const entry of entries) {
      const bytes = await this.diffOf(entry.id);
      const diff = decoder.decode(bytes.subarray(0, Math.max(0, room)));
      shown.push({ ...entry, diff, cut: bytes.byteLength > room });
      room -= bytes.byteLength;
    }
    return ok(shown);
  }

  /** Empty where the bytes are not kept any more. */
  async diffOf(id: ChangeId): Promise<Uint8Array> {
    const entry = await this.#changes.get(id);
    const diff = entry === null ? null : await this.#changes.patch(entry);
    return diff?.ok === true ? diff.value : new Uint8Array(0);
  }
}

const EARLIER_LIMIT = 50;
const decoder = new TextDecoder();

function linesOf({ hunks }: ReviewEntry): Pick<Patch, 'added' | 'removed'> {
  return {
    added: hunks.reduce((sum, { span }) => sum + span.newLines, 0),
    removed: hunks.reduce((sum, { span }) => sum + span.oldLines, 0),
  };
}

const VERBS = { create: 'added', modify: 'changed', delete: 'deleted', rename: 'renamed' } as const;

/** What the call did, in a few words; the path is told beside it. */
export function summaryOf({ kind, added, removed, tool, fromPath }: Patch): string {
  const from = fromPath === undefined ? '' : ` from ${fromPath}`;
  return `${VERBS[kind]}${from} with ${tool}, +${added} −${removed}`;
}
