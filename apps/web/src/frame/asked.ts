import { type DependencyList, useEffect, useState } from 'react';
import { Refused } from '../link/page-client.js';

export type Asked<T> =
  | { readonly state: 'asking'; readonly value: T | null }
  | { readonly state: 'told'; readonly value: T }
  | { readonly state: 'refused'; readonly value: null; readonly why: string };

/** The answer to a question that is asked anew when one of `on` changes; what was told before stays until then. */
export function useAsked<T>(ask: (signal: AbortSignal) => Promise<T>, on: DependencyList): Asked<T> {
  const [asked, setAsked] = useState<Asked<T>>({ state: 'asking', value: null });
  useEffect(() => {
    const end = new AbortController();
    setAsked(({ value }) => ({ state: 'asking', value }));
    ask(end.signal).then(
      (value) => end.signal.aborted || setAsked({ state: 'told', value }),
      (error: unknown) => {
        if (end.signal.aborted) return;
        const why = error instanceof Refused || error instanceof Error ? error.message : String(error);
        setAsked({ state: 'refused', value: null, why });
      },
    );
    return () => end.abort();
    // biome-ignore lint/correctness/useExhaustiveDependencies: what the question depends on is what the caller says.
  }, on);
  return asked;
}
