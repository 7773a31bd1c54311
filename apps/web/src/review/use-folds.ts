import type { ChangeJson } from '@palimpsest/protocol';
import { useCallback, useMemo, useState } from 'react';
import { LARGE } from './items.js';
import type { Viewed } from './viewed.js';

/** Which changes show only their header, and which stretches of unchanged lines are shown. */
export type Folds = {
  readonly folded: ReadonlySet<string>;
  readonly opened: ReadonlyMap<string, ReadonlySet<number>>;
  readonly toggle: (change: ChangeJson) => void;
  readonly open: (change: ChangeJson, line: number) => void;
};

/** What was viewed is folded, and so is what is too large to be read by chance; a person may say otherwise of each. */
export function useFolds(viewed: Viewed, changes: readonly ChangeJson[]): Folds {
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<ReadonlyMap<string, ReadonlySet<number>>>(new Map());
  const folded = useMemo(
    () =>
      new Set(
        changes
          .filter((change) => (viewed.has(change) || change.added + change.removed > LARGE) !== turned.has(change.id))
          .map(({ id }) => id),
      ),
    [changes, viewed, turned],
  );
  const toggle = useCallback(
    ({ id }: ChangeJson) =>
      setTurned((all) => new Set(all.has(id) ? [...all].filter((one) => one !== id) : [...all, id])),
    [],
  );
  const open = useCallback(
    ({ id }: ChangeJson, line: number) =>
      setOpened((all) => new Map(all).set(id, new Set([...(all.get(id) ?? []), line]))),
    [],
  );
  return { folded, opened, toggle, open };
}
