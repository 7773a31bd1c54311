import type { ChangeJson } from '@palimpsest/protocol';
import { useCallback, useMemo, useState } from 'react';
import type { Group } from './grouping.js';
import { type HunkPlace, hunksIn, type Item } from './items.js';
import type { Keys } from './use-keys.js';

/** Where one is among the hunks, and how one gets to the others. */
export type Walk = {
  readonly hunks: readonly HunkPlace[];
  readonly at: number;
  readonly current: HunkPlace | undefined;
  /** What the list shall bring into sight; asked for anew with each step, also to the same place. */
  readonly wanted: { readonly key: string; readonly times: number } | null;
  readonly goToChange: (change: ChangeJson) => void;
  readonly keys: Keys;
};

export function useWalk(groups: readonly Group[], folded: ReadonlySet<string>, items: readonly Item[]): Walk {
  const [index, setIndex] = useState(0);
  const [wanted, setWanted] = useState<Walk['wanted']>(null);
  const hunks = useMemo(() => hunksIn(groups, folded), [groups, folded]);
  // What is decided leaves the list, so that the next one comes to stand where one is.
  const at = Math.max(0, Math.min(index, hunks.length - 1));
  const current = hunks[at];
  const go = useCallback(
    (to: number) => {
      const place = hunks[Math.max(0, Math.min(to, hunks.length - 1))];
      if (place === undefined) return;
      setIndex(hunks.indexOf(place));
      setWanted((last) => ({ key: keyOf(items, place), times: (last?.times ?? 0) + 1 }));
    },
    [hunks, items],
  );
  const otherChange = (step: 1 | -1) => {
    const isOther = ({ change }: HunkPlace) => change.id !== current?.change.id;
    const found =
      step === 1
        ? hunks.findIndex((place, one) => one > at && isOther(place))
        : hunks.slice(0, at).findLastIndex(isOther);
    if (found >= 0) go(found);
  };
  return {
    ...{ hunks, at, current, wanted },
    goToChange: (change) => go(hunks.findIndex((place) => place.change.id === change.id)),
    keys: { j: () => go(at + 1), k: () => go(at - 1), n: () => otherChange(1), p: () => otherChange(-1) },
  };
}

/** The item that begins a hunk; that of its change while the texts are not here yet. */
function keyOf(items: readonly Item[], { change, hunk }: HunkPlace): string {
  const found = items.find(
    (item) =>
      (item.kind === 'row' || item.kind === 'sides') &&
      item.change.id === change.id &&
      item.row.kind === 'hunk' &&
      item.row.hunk.id === hunk,
  );
  return found?.key ?? change.id;
}
