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

export function extendChain(chain: Chain, link: Link): Chain {
  const last = chain.at(-1);
  if (last === undefined) return sameVersion(link.before, link.after) ? [] : [link];
  if (!sameVersion(last.after, link.before)) {
    throw new Error(`the chain of ${link.path} is broken: its last link does not end where the new one begins`);
  }
  if (!sameHand(last.attribution, link.attribution)) return [...chain, link];
  const rest = chain.slice(0, -1);
  if (sameVersion(last.before, link.after)) return rest;
  const evidence = weakerEvidence(last.attribution.evidence, link.attribution.evidence);
  const attribution = { author: last.attribution.author, evidence };
  const inodes = { before: last.inodes?.before ?? 0, after: link.inodes?.after ?? 0 };
  return [...rest, { ...last, after: link.after, attribution, inodes }];
}
