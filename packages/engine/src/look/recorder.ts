import {
  type Changed,
  type FileChange,
  type Link,
  type OperationBody,
  type PlaceId,
  pairRenames,
  sameHand,
  type WorkspacePath,
} from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import type { FileState } from '../log/log.js';
import { type KnownTree, unproven, versionOf } from '../store/known-tree.js';
import { type Measured, measure } from '../store/measure.js';
import { isUnread } from '../store/unread.js';
import { roundsOf } from './halves-of-moves.js';
import { renamesAmong } from './renames-among.js';

/** What is said along with changes of one hand: where in the conversation it happened, and what caused it. */
export type RecordContext = Pick<Changed, 'turn' | 'agentId' | 'messageIndex' | 'cause'>;

/** What belongs into one entry of the log. */
export type Recording = {
  readonly bodies: readonly OperationBody[];
  readonly files: readonly FileState[];
  readonly gone: readonly WorkspacePath[];
  readonly place?: PlaceId;
};

const UNMEASURED: Measured = { binary: false, reversible: true, spans: [] };

/** Turns links into `changed` operations: one per hand, in the order in which each file went through its hands. */
export class Recorder {
  readonly #content: ContentStore;
  readonly #known: KnownTree;
  readonly #measuredFiles: number;
  readonly #at: { readonly place?: PlaceId };

  constructor(content: ContentStore, known: KnownTree, measuredFiles: number, place: PlaceId | null) {
    this.#content = content;
    this.#known = known;
    this.#measuredFiles = measuredFiles;
    this.#at = place === null ? {} : { place };
  }

  /** The contents are in the store; what comes of this is to be appended, or nothing of it has happened. */
  async prepare(chains: readonly (readonly Link[])[], contextOf: (link: Link) => RecordContext): Promise<Recording> {
    const links = chains.flat();
    const bodies: OperationBody[] = [];
    const mayMeasure = links.length <= this.#measuredFiles;
    for (const group of byHand(chains)) {
      const { attribution } = group[0]!;
      const files = await this.#filesOf(group, mayMeasure ? 'measured' : 'unmeasured');
      bodies.push({ kind: 'changed', ...attribution, ...contextOf(group[0]!), files, ...this.#at });
    }
    const last = chains.flatMap((chain) => chain.at(-1) ?? []);
    return {
      bodies,
      files: last.flatMap((link) => this.#stateOf(link) ?? []),
      gone: last.filter((link) => link.after === null).map((link) => link.path),
      ...this.#at,
    };
  }

  async #filesOf(group: readonly Link[], how: 'measured' | 'unmeasured'): Promise<readonly FileChange[]> {
    const renames = how === 'measured' ? await renamesAmong(group, this.#content) : pairRenames(group);
    const sources = new Set(renames.values());
    const before = new Map(group.map((link) => [link.path, link.before]));
    const files: FileChange[] = [];
    for (const link of group) {
      if (sources.has(link.path)) continue;
      const fromPath = renames.get(link.path);
      const old = fromPath === undefined ? link.before : (before.get(fromPath) ?? null);
      const measured = how === 'measured' || isUnread(old) ? await measure(this.#content, old, link.after) : UNMEASURED;
      const change = { path: link.path, before: old, after: link.after, ...measured };
      files.push(fromPath === undefined ? change : { ...change, fromPath });
    }
    return files;
  }

  /** What we know of the file on disk, if that is the version recorded; otherwise a state that asks for another look. */
  #stateOf(link: Link): FileState | null {
    const { path, after } = link;
    if (after === null) return null;
    const known = this.#known.get(path);
    if (known !== null && versionOf(known)?.content === after.content && known.mode === after.mode) return known;
    return unproven(path, after, known?.explicit);
  }
}

/** Round by round through the chains; one group per hand a round. */
function byHand(chains: readonly (readonly Link[])[]): readonly (readonly Link[])[] {
  const groups: Link[][] = [];
  const begins = roundsOf(chains);
  const rounds = chains.reduce((most, chain) => Math.max(most, chain.length), 0);
  for (let round = 0; round < rounds; round++) {
    const ofRound: Link[][] = [];
    for (const [index, chain] of chains.entries()) {
      const link = chain[round - begins[index]!];
      if (link === undefined) continue;
      const group = ofRound.find((candidate) => sameRecord(candidate[0]!, link));
      if (group === undefined) ofRound.push([link]);
      else group.push(link);
    }
    groups.push(...ofRound);
  }
  return groups;
}

function sameRecord(a: Link, b: Link): boolean {
  return a.attribution.evidence === b.attribution.evidence && sameHand(a.attribution, b.attribution);
}
