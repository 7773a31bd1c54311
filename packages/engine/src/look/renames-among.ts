import {
  type ContentId,
  type LineTally,
  likeness,
  type Move,
  pairRenames,
  type Renames,
  renameCandidates,
  tallyLines,
  withSimilar,
} from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';

/** Files that vanished and appeared elsewhere, also with an edit on the way. */
export async function renamesAmong(moves: readonly Move[], content: ContentStore): Promise<Renames> {
  const pairs = pairRenames(moves);
  const candidates = renameCandidates(moves, pairs);
  if (candidates.length === 0) return pairs;
  const tallies = new Map<ContentId, LineTally | null>();
  const tallyOf = async (id: ContentId) => {
    const known = tallies.get(id);
    if (known !== undefined) return known;
    const found = await content.get(id);
    const tally = found.ok ? tallyLines(found.value) : null;
    tallies.set(id, tally);
    return tally;
  };
  const compared = [];
  for (const candidate of candidates) {
    const [from, to] = [await tallyOf(candidate.from.before!.content), await tallyOf(candidate.to.after!.content)];
    if (from !== null && to !== null) compared.push({ candidate, likeness: likeness(from, to) });
  }
  return withSimilar(pairs, compared);
}
