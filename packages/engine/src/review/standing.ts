import {
  type ChangeId,
  FILE_KINDS,
  filesAnywhere,
  followMoves,
  indexOfChange,
  seqOfChange,
  type WorkspacePath,
} from '@palimpsest/core';
import type { Desk } from './desk.js';
import type { CleanPlan } from './file-plan.js';
import { tracedLines } from './origins.js';

/** A file, and what is to be taken out of it; null where nothing is. */
export type Taking = { readonly path: WorkspacePath; readonly taken: CleanPlan | null };

/**
 * Which of these would leave text standing that they say is taken out: a person or git brought it back as lines of
 * their own, or it went to another file's place. What blame would still call by the name of a change that is rejected
 * has not been taken out, and nobody shall be told so.
 */
export async function stillStanding(desk: Desk, files: readonly Taking[]): Promise<ReadonlyMap<number, string>> {
  const byPath = new Map(files.map(({ path, taken }) => [path, taken]));
  const standing = new Map<number, string>();
  for (const [index, { path, taken }] of files.entries()) {
    if (taken === null) continue;
    if (await standsAgain(desk, taken)) standing.set(index, BROUGHT_BACK);
    else {
      const why = await standsElsewhere(desk, { path, taken }, byPath);
      if (why !== null) standing.set(index, why);
    }
  }
  return standing;
}

const BROUGHT_BACK = 'what it wrote was gone, and somebody brought it back';

/** Whether lines of it that were lost are there by another hand. By far most plans take out what was never lost. */
async function standsAgain(desk: Desk, { weave, plan, lineage }: CleanPlan): Promise<boolean> {
  const changes = changesTaken({ weave, plan });
  const isTaken = (part: number) => changes.has(weave.parts[part]?.change as ChangeId);
  const lost = weave.segments.filter((segment) => isTaken(segment.by) && !weave.isAlive(segment));
  if (lost.length === 0) return false;
  const doesCount = weave.countsWith(new Set(plan.switched));
  const first = Math.min(...lost.map(({ by }) => by));
  const isLater = weave.segments.some(({ by, removedBy }) => by > first && doesCount(by) && !removedBy.some(doesCount));
  if (!isLater) return false;
  return (await tracedLines(desk, lineage, doesCount)).some(
    ({ text, by, origin }) =>
      origin !== null && changes.has(origin.change) && weave.parts[by]?.change !== origin.change && isTelling(text),
  );
}

/** Whether another file holds lines of it: the file that it was made in was moved over that one, or git put it there again. */
export async function standsElsewhere(
  desk: Desk,
  { path, taken: { weave, plan, lineage } }: Taking & { readonly taken: CleanPlan },
  byPath: ReadonlyMap<WorkspacePath, CleanPlan | null> = new Map(),
): Promise<string | null> {
  const changes = changesTaken({ weave, plan });
  const oldest = Math.min(...[...changes].map(seqOfChange));
  const later = lineage.steps.filter(({ operation }) => operation.seq > oldest);
  const movedOver = later.flatMap(({ id }) => desk.halves.wentTo(id)).map((id) => pathNow(desk, id));
  const formerNames = later.flatMap(({ file }) => file?.fromPath ?? []);
  for (const other of new Set([...movedOver, ...formerNames])) {
    if (other === path || desk.parts.known.get(other) === null) continue;
    const too = byPath.get(other) ?? null;
    const counting = too === null ? undefined : too.weave.countsWith(new Set(too.plan.switched));
    const lines = await tracedLines(desk, too?.lineage ?? (await desk.lineages.fresh(other, 1)), counting);
    if (lines.some(({ text, origin }) => origin !== null && changes.has(origin.change) && isTelling(text)))
      return `what it wrote stands in ${other}`;
  }
  return null;
}

/** Where the file is now that a change put where it was then. */
function pathNow(desk: Desk, id: ChangeId): WorkspacePath {
  const { log } = desk.parts.live;
  let seq = seqOfChange(id);
  let path = filesAnywhere(log.get(seq)!)[indexOfChange(id)]!.path;
  for (;;) {
    const moves = log.find({ path, kinds: FILE_KINDS, since: seq }).map((operation) => ({
      seq: operation.seq,
      to: followMoves(operation, desk.parts.place).find((file) => file?.fromPath === path)?.path,
    }));
    const next = moves.find(({ to }) => to !== undefined);
    if (next === undefined) return path;
    seq = next.seq;
    path = next.to!;
  }
}

function changesTaken({ weave, plan }: Pick<CleanPlan, 'weave' | 'plan'>): ReadonlySet<ChangeId> {
  return new Set(plan.switched.map((part) => weave.parts[part]!.change));
}

/** A brace alone is in every text, and says nothing of where it came from. */
function isTelling(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
