import {
  type FileVersion,
  type Flowed,
  failed,
  type Located,
  type Outcome,
  ok,
  type WorktreeState,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type { ContentStore } from '../content/content.js';
import type { OpenPlace } from '../place/place.js';
import type { ResolveWith } from '../review/verdict.js';
import type { FileWrite } from '../write/writer.js';
import type { WorktreeConflict } from './worktree-facts.js';

type Settling = {
  readonly worktree: WorktreeState;
  readonly conflict: WorktreeConflict;
  readonly how: ResolveWith;
  readonly here: OpenPlace;
  readonly there: OpenPlace;
  readonly content: ContentStore;
};

/** Ends a conflict between two places: as it is in the workspace, as it is in the worktree, or as somebody made it. */
export async function settleConflict(settling: Settling): Promise<Outcome<null, Refusal>> {
  const { worktree, conflict, how, here, there, content } = settling;
  const ours = locatedAt(conflict.here, conflict.ours);
  const theirs = locatedAt(conflict.there, conflict.theirs);
  const edited = 'bytes' in how ? how.bytes : null;
  const result = edited === null ? ('take' in how && how.take === 'ours' ? ours : theirs) : made(edited);
  const body: Flowed = {
    ...{ kind: 'flowed', worktree: worktree.place, files: [], resolves: conflict.id },
    agreed: [{ here: result?.path ?? ours?.path ?? null, there: result?.path ?? theirs?.path ?? null }],
  };
  for (const [place, now] of [[there, theirs] as const, [here, ours] as const]) {
    const name = result?.path;
    if (name !== undefined && name !== now?.path && place.known.get(name) !== null)
      return failed({ code: 'bad-input', why: `another file has the name ${name} in ${place.root}; move it first` });
  }
  // The worktree first: should the workspace have moved on, both are merged again from there.
  for (const [place, now] of [[there, theirs] as const, [here, ours] as const]) {
    const written = await place.writer.apply(writesFor(now, result), body, [edited]);
    if (!written.ok) return failed(written.error);
  }
  return ok(null);

  function made(bytes: Uint8Array): Located {
    const like = ours ?? theirs;
    const mode = [ours, theirs].find((side) => side !== null && side.version.mode !== '120000')?.version.mode;
    return {
      path: like!.path,
      version: { content: content.idOf(bytes), mode: mode ?? '100644', size: bytes.length },
    };
  }
}

function writesFor(now: Located | null, next: Located | null): readonly FileWrite[] {
  if (now === null && next === null) return [];
  if (now?.path === next?.path) return [{ path: now!.path, expected: now!.version, next: next!.version }];
  const removal = now === null ? [] : [{ path: now.path, expected: now.version, next: null }];
  if (next === null) return removal;
  const arrival = { path: next.path, expected: null, next: next.version };
  return [...removal, now === null ? arrival : { ...arrival, movedFrom: now.path }];
}

function locatedAt(path: Located['path'] | null, version: FileVersion | null): Located | null {
  return path === null || version === null ? null : { path, version };
}
