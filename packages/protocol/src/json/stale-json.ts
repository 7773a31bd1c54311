import type { FreshnessState, LineRange } from '@palimpsest/core';
import type { StaleJson } from '../schemas/stale.js';
import { linesJson } from './change-json.js';
import { instant } from './instant.js';

/** What a session saw of a file, and what is there now. */
export type FreshnessFacts = {
  readonly session: string;
  readonly path: string;
  readonly state: FreshnessState;
  readonly seen: { readonly content: string; readonly at: number; readonly lines: readonly LineRange[] | null };
  readonly now: { readonly content: string; readonly lines?: readonly LineRange[] | null } | null;
  readonly visible: boolean;
};

export function staleJson({ session, path, state, seen, now, visible }: FreshnessFacts): StaleJson {
  return {
    session,
    path,
    state,
    seen: { content: seen.content, at: instant(seen.at), ...given(seen.lines) },
    now: now && { content: now.content, ...given(now.lines ?? null) },
    visible,
  };
}

function given(lines: readonly LineRange[] | null): { lines?: [number, number][] } {
  return lines === null ? {} : { lines: linesJson(lines) };
}
