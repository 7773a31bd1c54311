import type { ChangeJson } from '@palimpsest/protocol';
import { useCallback, useState } from 'react';

/**
 * What the person has looked at, in this browser. Kept as a digest of what was seen, not as a mark on a name: it falls away
 * where the agent changes the text again, and is back when that is undone.
 */
export type Viewed = { readonly has: (change: ChangeJson) => boolean; readonly toggle: (change: ChangeJson) => void };

const MOST = 5_000;

export function useViewed(workspace: string): Viewed {
  const place = `pal-viewed-${workspace}`;
  const [digests, setDigests] = useState<readonly string[]>(() => stored(place));
  const toggle = useCallback(
    (change: ChangeJson) => {
      const digest = digestOf(change);
      setDigests((all) => {
        const next = all.includes(digest) ? all.filter((one) => one !== digest) : [...all, digest].slice(-MOST);
        localStorage.setItem(place, JSON.stringify(next));
        return next;
      });
    },
    [place],
  );
  return { has: (change) => digests.includes(digestOf(change)), toggle };
}

/** Contents are named by what they hold, so their names are a digest already. */
export function digestOf({ path, before, after }: Pick<ChangeJson, 'path' | 'before' | 'after'>): string {
  return [path, before?.content.slice(0, 16) ?? '', after?.content.slice(0, 16) ?? '', after?.mode ?? ''].join('\n');
}

function stored(place: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(place) ?? '[]');
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  } catch {
    return []; // What somebody else wrote there says nothing about what was viewed.
  }
}
