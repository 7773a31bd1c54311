import {
  type ChangeId,
  changeOfHunk,
  failed,
  type HunkId,
  type Outcome,
  ok,
  parseChangeId,
  parseHunkId,
  type Review,
  type ReviewEntry,
  type WorkspacePath,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type { Selected, Selection } from './verdict.js';

/** What is chosen: by name, whatever its state; and by where it is from, if it is open. Oldest first. */
export type Chosen = {
  readonly named: readonly Selected[];
  readonly found: readonly ReviewEntry[];
  /** Open changes that the call or session asked for only may have made. */
  readonly perhaps: readonly ReviewEntry[];
};

export function choose(
  selection: Selection,
  review: Review,
  locate: (path: string) => Outcome<WorkspacePath, Refusal>,
): Outcome<Chosen, Refusal> {
  const named = nameAll(selection, review);
  if (!named.ok) return named;
  const { call, path, session, all } = selection;
  const filtered = call !== undefined || path !== undefined || session !== undefined;
  if (!filtered && all !== true) {
    if (named.value.length > 0 || selection.changes !== undefined || selection.hunks !== undefined)
      return ok({ named: named.value, found: [], perhaps: [] });
    return failed({
      code: 'bad-input',
      why: 'say what the verdict is about: changes, hunks, a call, path, session or all',
    });
  }
  const located = path === undefined ? null : locate(path);
  if (located !== null && !located.ok) return located;
  const open = [...review.entries.values()].filter(
    (entry) => isOpen(entry) && (located === null || isAt(entry, located.value)),
  );
  const found = open.filter((entry) => isFrom(entry, call, session));
  const perhaps = open.filter((entry) => isPerhapsFrom(entry, call, session));
  return ok({ named: named.value, found, perhaps });
}

export function isOpen({ status }: Pick<ReviewEntry, 'status'>): boolean {
  return status === 'pending' || status === 'conflict';
}

function nameAll({ changes = [], hunks = [] }: Selection, review: Review): Outcome<readonly Selected[], Refusal> {
  const whole = new Set<ChangeId>();
  for (const input of changes) {
    const id = parseChangeId(input);
    if (!id.ok) return id;
    if (!review.entries.has(id.value)) return failed({ code: 'unknown-change', change: input });
    whole.add(id.value);
  }
  const partly = new Map<ChangeId, Set<HunkId>>();
  for (const input of hunks) {
    const id = parseHunkId(input);
    if (!id.ok) return id;
    const change = changeOfHunk(id.value);
    const entry = review.entries.get(change);
    if (!entry?.hunks.some((hunk) => hunk.id === id.value)) return failed({ code: 'unknown-change', change: input });
    if (whole.has(change)) continue;
    const known = partly.get(change);
    if (known === undefined) partly.set(change, new Set([id.value]));
    else known.add(id.value);
  }
  const chosen = [...partly].map(([id, some]): Selected => ({ id, hunks: [...some] }));
  return ok([...[...whole].map((id): Selected => ({ id, hunks: null })), ...chosen]);
}

function isFrom({ author }: ReviewEntry, call: string | undefined, session: string | undefined): boolean {
  if (call === undefined && session === undefined) return true;
  if (author.kind !== 'agent') return false;
  return (call === undefined || author.call === call) && (session === undefined || author.session === session);
}

function isPerhapsFrom({ author }: ReviewEntry, call: string | undefined, session: string | undefined): boolean {
  if ((call === undefined && session === undefined) || author.kind !== 'unknown') return false;
  return author.candidates.some(
    (candidate) =>
      (call === undefined || candidate.call === call) && (session === undefined || candidate.session === session),
  );
}

/** The file itself, under any of its names, or something in the folder. */
function isAt(entry: ReviewEntry, path: WorkspacePath): boolean {
  const names = [entry.path, entry.file.path, entry.file.fromPath];
  return names.some((name) => name !== undefined && (name === path || name.startsWith(`${path}/`)));
}
