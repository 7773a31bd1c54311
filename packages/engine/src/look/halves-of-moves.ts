import { type Chain, type Link, sameHand, type WorkspacePath } from '@palimpsest/core';

/** Files that came up or went away, by what tells the other side of the same move: the file of the disk, or its content. */
class Halves<T> {
  readonly #byMark = new Map<string, { readonly link: Link; readonly value: T }[]>();

  add(link: Link, value: T): void {
    for (const mark of marksOf(link)) {
      const known = this.#byMark.get(mark);
      if (known === undefined) this.#byMark.set(mark, [{ link, value }]);
      else known.push({ link, value });
    }
  }

  /** Of the same hand: it took a file from one name, and the file came up at another. */
  othersOf(link: Link): readonly T[] {
    const isGone = link.after === null;
    return marksOf(link).flatMap((mark) =>
      (this.#byMark.get(mark) ?? []).flatMap(({ link: other, value }) => {
        const isOther = (other.after === null) !== isGone && other.path !== link.path;
        return isOther && sameHand(link.attribution, other.attribution) ? [value] : [];
      }),
    );
  }

  get isEmpty(): boolean {
    return this.#byMark.size === 0;
  }
}

function marksOf({ before, after, inodes }: Link): readonly string[] {
  if ((before === null) === (after === null)) return [];
  const version = (before ?? after)!;
  const ino = (before === null ? inodes?.after : inodes?.before) ?? 0;
  return [...(ino === 0 ? [] : [`${ino}`]), ...(version.size === 0 ? [] : [version.content])];
}

/** Tells of a link whether it is one side of a move of which the other is among `links`. */
export function halvesAmong(links: Iterable<Link>): (link: Link) => boolean {
  const halves = new Halves<true>();
  for (const link of links) halves.add(link, true);
  return (link) => halves.othersOf(link).length > 0;
}

/**
 * How many links of each chain can be given out: up to the last that no running call can add to. With one side of a move
 * goes the other, though the call that made it is running: apart they would be a new file and a lost one.
 */
export function readyLinks(
  held: ReadonlyMap<WorkspacePath, Chain>,
  isHeld: (link: Link) => boolean,
): ReadonlyMap<WorkspacePath, number> {
  const cuts = new Map([...held].map(([path, chain]) => [path, chain.findLastIndex((link) => !isHeld(link)) + 1]));
  for (;;) {
    const early = new Halves<true>();
    for (const [path, chain] of held)
      for (const link of chain.slice(0, cuts.get(path))) if (isHeld(link)) early.add(link, true);
    if (early.isEmpty) return cuts;
    let isMore = false;
    for (const [path, chain] of held) {
      const count = chain.findLastIndex((link) => early.othersOf(link).length > 0) + 1;
      if (count <= cuts.get(path)!) continue;
      cuts.set(path, count);
      isMore = true;
    }
    if (!isMore) return cuts;
  }
}

/**
 * In which round each chain begins, so that a file's second hand comes after its first. All end together, because what
 * came last came with what we see now; but the two sides of a move come in one round.
 */
export function roundsOf(chains: readonly Chain[]): readonly number[] {
  const rounds = chains.reduce((most, chain) => Math.max(most, chain.length), 0);
  const atEnd = chains.map((chain) => rounds - chain.length);
  if (rounds < 2) return atEnd;
  const halves = new Halves<number>();
  for (const [at, chain] of chains.entries())
    for (const [index, link] of chain.entries()) halves.add(link, atEnd[at]! + index);
  return chains.map((chain, at) => {
    const latest = atEnd[at]!;
    const begins = chain.flatMap((link, index) => halves.othersOf(link).map((round) => round - index));
    return begins.find((begin) => begin >= 0 && begin < latest) ?? latest;
  });
}
