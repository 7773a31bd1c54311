import {
  type Candidate,
  type Chain,
  type ContentId,
  callKey,
  extendChain,
  type FileVersion,
  joinChain,
  type Link,
  sameVersion,
  type WorkspacePath,
} from '@palimpsest/core';
import { type KnownTree, unproven } from '../store/known-tree.js';
import { type CallPlan, plannedWrite } from './call-plan.js';
import { type Claims, type Suspect, withInodes } from './claims.js';
import { halvesAmong, readyLinks } from './halves-of-moves.js';

/** What was seen and judged, and is not recorded yet: a call that is still running may go on with it. */
export class HeldLinks {
  readonly #claims: Claims;
  readonly #known: KnownTree;
  readonly #chains = new Map<WorkspacePath, Chain>();

  constructor(claims: Claims, known: KnownTree) {
    this.#claims = claims;
    this.#known = known;
  }

  has(path: WorkspacePath): boolean {
    return this.#chains.has(path);
  }

  of(path: WorkspacePath): Chain {
    return this.#chains.get(path) ?? [];
  }

  *beginnings(): Generator<readonly [WorkspacePath, FileVersion | null]> {
    for (const [path, chain] of this.#chains) yield [path, chain[0]!.before];
  }

  *contents(): Generator<ContentId> {
    for (const chain of this.#chains.values()) {
      for (const { before, after } of chain) {
        if (before !== null) yield before.content;
        if (after !== null) yield after.content;
      }
    }
  }

  extend(link: Link): void {
    if (sameVersion(link.before, link.after)) return;
    const chain = extendChain(this.of(link.path), link);
    if (chain.length === 0) this.#chains.delete(link.path);
    else this.#chains.set(link.path, chain);
  }

  /** Chains, or their beginnings, that no running call can add to any more. They are given out once. */
  takeReady(open: readonly CallPlan[]): readonly Chain[] {
    const running = new Set(open.map((plan) => plan.key));
    const ready: Chain[] = [];
    for (const [path, count] of readyLinks(this.#chains, (link) => isHeld(link, running))) {
      const chain = this.of(path);
      const [done, rest] = [joinChain(chain.slice(0, count)), chain.slice(count)];
      if (rest.length === 0) this.#chains.delete(path);
      else this.#chains.set(path, rest);
      if (done.length > 0) ready.push(done);
    }
    return ready;
  }

  /** Gives chains back that could not be recorded, so that the next attempt finds them. */
  putBack(chains: readonly Chain[]): void {
    for (const chain of chains) {
      const path = chain[0]!.path;
      this.#chains.set(path, [...chain, ...this.of(path)]);
    }
  }

  /**
   * A person says that they saved the file. What a running call was taken to have done to it last, because it could and
   * nobody else was known, may be that: then it is nobody's.
   */
  contest(path: WorkspacePath): void {
    const chain = this.of(path);
    const last = chain.at(-1);
    if (last === undefined || last.attribution.evidence !== 'window') return;
    const { author } = last.attribution;
    if (author.kind !== 'agent') return;
    const candidates = [{ session: author.session, call: author.call }];
    const attribution = { author: { kind: 'unknown', candidates }, evidence: 'unknown' } as const;
    this.#chains.set(path, [...chain.slice(0, -1), { ...last, attribution }]);
  }

  /**
   * What a running call was taken to have done, because it could, is the late one's as far as its bytes prove that, and
   * either's where the late one alone was to write the file. Where the late one's work has been found already, it did not
   * do anything else to the file.
   */
  async reconsider(late: Suspect, suspects: readonly Suspect[]): Promise<void> {
    const isHalf = halvesAmong([...this.#chains.values()].flat());
    const before = new Map(this.#chains);
    for (const [path, chain] of before) {
      const planned = plannedWrite(late.plan, path);
      if (planned === undefined || chain.some((link) => isProvenOf(link, late.plan))) continue;
      const judged = planned.effect
        ? await Promise.all(chain.map((link) => this.#judgedWith(late, link, suspects, before)))
        : chain.map((link) => (isHalf(link) ? link : doubted(link, late, suspects)));
      this.#chains.set(path, judged.flat());
    }
  }

  async #judgedWith(
    late: Suspect,
    link: Link,
    suspects: readonly Suspect[],
    held: ReadonlyMap<WorkspacePath, Chain>,
  ): Promise<readonly Link[]> {
    const { author, evidence } = link.attribution;
    if (author.kind !== 'agent' || evidence !== 'window') return [link];
    const { path, before, after, inodes } = link;
    const stateOf = (version: FileVersion | null, ino: number) =>
      version === null ? null : { ...unproven(path, version), ino };
    const observation = {
      path,
      before: stateOf(before, inodes?.before ?? 0),
      after: stateOf(after, inodes?.after ?? 0),
    };
    const both = suspects.filter((each) => each === late || each.plan.key === callKey(author.session, author.call));
    // A call that moved a file found there what was taken away last.
    const contentBefore = (from: WorkspacePath) => {
      const removal = held.get(from)?.findLast((one) => one.after === null);
      return (removal?.before ?? this.#known.get(from))?.content ?? null;
    };
    const links = await this.#claims.linksOf(observation, { suspects: both, circumstance: 'live', contentBefore });
    return links.some((judged) => isProvenOf(judged, late.plan)) ? withInodes(links, observation) : [link];
  }
}

/** While somebody watches, only a proof makes a call the author of what it may not have been there for. */
function isProvenOf({ attribution: { author, evidence } }: Link, { key }: CallPlan): boolean {
  return author.kind === 'agent' && evidence !== 'window' && callKey(author.session, author.call) === key;
}

/** What a call was only there for, and did not name, may be another's that names it. */
function doubted(link: Link, { plan }: Suspect, suspects: readonly Suspect[]): Link {
  const { author, evidence } = link.attribution;
  if (author.kind !== 'agent' || evidence !== 'window') return link;
  const there = suspects.find((suspect) => suspect.plan.key === callKey(author.session, author.call));
  if (there === undefined || plannedWrite(there.plan, link.path) !== undefined) return link;
  const candidates = [there.plan, plan].map(({ session, call }) => ({ session, call }));
  return { ...link, attribution: { author: { kind: 'unknown', candidates, among: 'agents' }, evidence: 'unknown' } };
}

/** Of what one of several running calls did, only a file that was emptied is waited for: it is about to be written. */
function isHeld({ attribution: { author }, after }: Link, running: ReadonlySet<string>): boolean {
  const isRunning = ({ session, call }: Candidate) => running.has(callKey(session, call));
  if (author.kind === 'agent') return isRunning(author);
  return author.kind === 'unknown' && after?.size === 0 && author.candidates.some(isRunning);
}
