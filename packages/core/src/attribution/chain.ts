import { type FileVersion, sameVersion } from '../file.js';
import type { WorkspacePath } from '../path.js';
import { type Attribution, sameHand, weakerEvidence } from './attribution.js';
import type { Inodes } from './renames.js';

/** One file went from one version to another, by somebody. */
export type Link = {
  readonly path: WorkspacePath;
  readonly before: FileVersion | null;
  readonly after: FileVersion | null;
  readonly attribution: Attribution;
  readonly inodes?: Inodes;
};

/**
 * What happened to one file since it was last recorded, oldest first. Each link begins where the one before it ended.
 * A hand that writes a file many times in one go made one change, and none when it put everything back.
 */
export type Chain = readonly Link[];

/**
 * A removal is kept apart from what the same hand wrote before it: another hand may turn out to have moved the file, and
 * it moved what was there last. `joinChain` makes one change of them.
 */
export function extendChain(chain: Chain, link: Link): Chain {
  const last = chain.at(-1);
  if (last === undefined) return sameVersion(link.before, link.after) ? [] : [link];
  if (!sameVersion(last.after, link.before)) {
    throw new Error(`the chain of ${link.path} is broken: its last link does not end where the new one begins`);
  }
  const isRemoval = link.after === null && last.after !== null;
  return isRemoval || !sameHand(last.attribution, link.attribution) ? [...chain, link] : joined(chain, link);
}

/** The chain as it is recorded: one link for what one hand did in one go, and none for what it put back. */
export function joinChain(chain: Chain): Chain {
  let whole: Chain = [];
  for (const link of chain) {
    const last = whole.at(-1);
    whole = last !== undefined && sameHand(last.attribution, link.attribution) ? joined(whole, link) : [...whole, link];
  }
  return whole;
}

function joined(chain: Chain, link: Link): Chain {
  const last = chain.at(-1)!;
  const rest = chain.slice(0, -1);
  if (sameVersion(last.before, link.after)) return rest;
  const evidence = weakerEvidence(last.attribution.evidence, link.attribution.evidence);
  const attribution = { author: last.attribution.author, evidence };
  const inodes = { before: last.inodes?.before ?? 0, after: link.inodes?.after ?? 0 };
  return [...rest, { ...last, after: link.after, attribution, inodes }];
}
