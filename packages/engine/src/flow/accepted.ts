import {
  type ApartFile,
  changesAt,
  type Located,
  type PartKey,
  type Seq,
  seqOfChange,
  type Weave,
  type WorkspacePath,
  type WorktreeState,
} from '@palimpsest/core';
import type { Desk } from '../review/desk.js';
import { isOpen } from '../review/meant.js';
import { partsWith } from '../review/parts-of.js';

/** `waits`: nothing of it can leave the worktree before more is decided, and why; null for what a running call holds. */
export type Accepted =
  | { readonly kind: 'file'; readonly file: Located | null; readonly bytes: Uint8Array | null }
  | { readonly kind: 'waits'; readonly why: string | null };

/**
 * What of a file may leave its worktree: all of it but what waits for a verdict, in a worktree for review, and what was
 * found after nobody had watched. The file's weave takes those parts out, as a rejection would.
 */
export async function acceptedOf(
  desk: Desk,
  worktree: WorktreeState,
  { apart, name: path }: { readonly apart: ApartFile; readonly name: WorkspacePath },
): Promise<Accepted> {
  const { review } = desk.parts.live.views;
  const entries = changesAt(review, path, worktree.place).map((id) => review.entries.get(id)!);
  const open = worktree.mode === 'review' ? entries.filter(isOpen) : [];
  const unwatched = [...worktree.unwatched];
  if (open.length + unwatched.length === 0) return { kind: 'file', file: apart.there, bytes: null };
  const keysIn = (weave: Weave): readonly PartKey[] => [
    ...open.flatMap((entry) => partsWith(weave, entry, (status) => isOpen({ status }))),
    ...unwatched.flatMap((id) => weave.partsOf(id)).map((part) => weave.parts[part]!.key),
  ];
  const since = Math.min(...open.map(({ id }) => seqOfChange(id)), ...unwatched.map(seqOfChange)) as Seq;
  const plan = await desk.planner.plan({
    ...{ path, since, to: 'off', cascade: 'none', openKeys: () => [] },
    keys: keysIn,
  });
  switch (plan.kind) {
    case 'clean': {
      const [first] = plan.change.writes;
      if (first === undefined) return { kind: 'file', file: apart.there, bytes: null };
      const left = plan.change.writes.find(({ next }) => next !== null);
      const file = left === undefined ? null : { path: left.path, version: left.next! };
      return { kind: 'file', file, bytes: plan.change.bytes };
    }
    case 'blocked':
      return { kind: 'waits', why: plan.why };
    case 'unrecorded':
      return { kind: 'waits', why: null };
    case 'untold':
    case 'missing':
      return { kind: 'waits', why: 'its changes cannot be told apart; it flows when all of them are decided' };
  }
}
