import type { FileVersion, FlowConflict } from '@palimpsest/core';
import type { FlowConflictJson, WorktreeJson } from '../schemas/worktree.js';
import { instant } from './instant.js';

type ConflictFacts = FlowConflict & { readonly id: string; readonly session: string; readonly path: string };
type Facts = Omit<WorktreeJson, 'madeAt' | 'conflicts' | 'pending' | 'unwatched' | 'apart'> & {
  readonly madeAt: number;
  readonly pending: readonly string[];
  readonly unwatched: readonly string[];
  readonly conflicts: readonly ConflictFacts[];
  readonly apart: readonly { readonly path: string; readonly ignored: boolean }[];
};

export function worktreeJson(facts: Facts): WorktreeJson {
  const { session, path, mode, portBase, base } = facts;
  return {
    ...{ session, path, mode, portBase, base, madeAt: instant(facts.madeAt) },
    pending: [...facts.pending],
    unwatched: [...facts.unwatched],
    conflicts: facts.conflicts.map(flowConflictJson),
    apart: facts.apart.map(({ path: at, ignored }) => ({ path: at, ignored })),
  };
}

export function flowConflictJson({ id, session, path, reason, base, ours, theirs }: ConflictFacts): FlowConflictJson {
  const side = (version: FileVersion | null) =>
    version === null ? null : { content: version.content, mode: version.mode };
  return { id, session, path, reason, base: side(base), ours: side(ours), theirs: side(theirs) };
}
