import {
  type ChangeId,
  changeOfHunk,
  failed,
  type HunkId,
  type Outcome,
  ok,
  parseChangeId,
  parseHunkId,
  parseOperationName,
  type Review,
  type ReviewEntry,
  type Seq,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import { isAt, isFrom, isOpen, type Meant, type MeantParts, understand } from './meant.js';
import type { Selected, Selection } from './verdict.js';

/** What is chosen: by name, whatever its state; and by where it is from, if it is open. Oldest first. */
export type Chosen = {
  readonly named: readonly Selected[];
  readonly found: readonly ReviewEntry[];
  /** Open changes that the call or session asked for only may have made. */
  readonly perhaps: readonly ReviewEntry[];
};

/** Every way to say it narrows the others: names that are given are looked for in the path, call and session. */
export function choose(selection: Selection, parts: MeantParts): Outcome<Chosen, Refusal> {
  const { review } = parts.live.views;
  const given = namesIn(selection);
  const named = nameAll(given, review);
  if (!named.ok) return named;
  const { call, path, session, all } = selection;
  const isFiltered = call !== undefined || path !== undefined || session !== undefined;
  const isNamed = selection.changes !== undefined || selection.hunks !== undefined;
  if (!isFiltered && !isNamed && all !== true) return failed({ code: 'bad-input', why: SAY_WHAT });
  if (given.length > 0 && all === true) return failed({ code: 'bad-input', why: 'say either names or all, not both' });
  const meant = understand(selection, parts);
  if (!meant.ok) return meant;
  const entries = [...review.entries.values()].filter(
    (entry) => isAt(entry, meant.value.place) && parts.isMeant?.(entry) !== false,
  );
  if (!isNamed) {
    const open = entries.filter(isOpen);
    const found = open.filter((entry) => isFrom(entry, meant.value));
    return ok({ named: [], found, perhaps: open.filter((entry) => isPerhapsFrom(entry, meant.value)) });
  }
  const within = new Set(entries.filter((entry) => isFrom(entry, meant.value)).map(({ id }) => id));
  const chosen = named.value.changes.filter(({ id }) => within.has(id));
  const ofOperations = entries.filter((entry) => within.has(entry.id) && named.value.operations.has(entry.seq));
  if (given.length > 0 && chosen.length + ofOperations.length === 0)
    return failed({ code: 'no-match', what: 'change', name: given.join(' '), like: [] });
  return ok({ named: chosen, found: ofOperations.filter(isOpen), perhaps: [] });
}

const SAY_WHAT = 'say what the verdict is about: changes, hunks, a call, path, session or all';

/** Of two names of which one is a part of the other, the part counts. */
function namesIn({ changes = [], hunks = [] }: Selection): readonly string[] {
  const given = [...new Set([...changes, ...hunks])];
  const divided = new Set(given.flatMap((name) => [...name.matchAll(/\./g)].map((dot) => name.slice(0, dot.index))));
  return given.filter((name) => !divided.has(name));
}

type Named = { readonly changes: readonly Selected[]; readonly operations: ReadonlySet<Seq> };

function nameAll(given: readonly string[], review: Review): Outcome<Named, Refusal> {
  const operations = new Set<Seq>();
  const chosen = new Map<ChangeId, Set<HunkId> | null>();
  for (const name of given) {
    const seq = parseOperationName(name);
    if (seq !== null) {
      if (![...review.entries.values()].some((entry) => entry.seq === seq))
        return failed({ code: 'unknown-change', change: name });
      operations.add(seq);
      continue;
    }
    const hunk = parseHunkId(name);
    const change = hunk.ok ? ok(changeOfHunk(hunk.value)) : parseChangeId(name);
    if (!change.ok) return change;
    const entry = review.entries.get(change.value);
    if (entry === undefined || (hunk.ok && !entry.hunks.some(({ id }) => id === hunk.value)))
      return failed({ code: 'unknown-change', change: name });
    if (!hunk.ok) chosen.set(change.value, null);
    else chosen.set(change.value, new Set([...(chosen.get(change.value) ?? []), hunk.value]));
  }
  const changes = [...chosen].map(([id, hunks]): Selected => ({ id, hunks: hunks === null ? null : [...hunks] }));
  return ok({ changes, operations });
}

function isPerhapsFrom({ author }: ReviewEntry, { session, call }: Meant): boolean {
  if ((call === null && session === null) || author.kind !== 'unknown') return false;
  return author.candidates.some(
    (candidate) => (call === null || candidate.call === call) && (session === null || candidate.session === session),
  );
}
