import type { ChangeJson } from '@palimpsest/protocol';
import { useCallback, useState } from 'react';
import { useSays } from '../frame/says.js';
import type { LiveWorkspace } from '../link/live-workspace.js';
import { answer } from '../link/page-client.js';

/** A comment that is not sent yet. The lines are quoted as they were seen, so that it stays clear which were meant. */
export type Draft = {
  readonly session: string;
  readonly path: string;
  readonly lines?: [number, number];
  readonly excerpt?: string;
  readonly text: string;
};

export type Drafts = {
  readonly all: readonly Draft[];
  readonly add: (draft: Draft) => void;
  readonly remove: (draft: Draft) => void;
  /** All at once, each to its session. */
  readonly send: () => void;
};

/** Collected in this browser until they are sent, also over a reload. */
export function useDrafts(workspace: LiveWorkspace): Drafts {
  const place = `pal-drafts-${workspace.id}`;
  const { say, attempt } = useSays();
  const [all, setAll] = useState<readonly Draft[]>(() => stored(place));
  const keep = useCallback(
    (drafts: readonly Draft[]) => {
      localStorage.setItem(place, JSON.stringify(drafts));
      setAll(drafts);
    },
    [place],
  );
  return {
    all,
    add: (draft) => keep([...all, draft]),
    remove: (draft) => keep(all.filter((one) => one !== draft)),
    send: () =>
      attempt(async () => {
        await answer(workspace.client.comment({ body: { comments: [...all] } }));
        keep([]);
        const agents = new Set(all.map(({ session }) => session)).size;
        const to = agents === 1 ? 'The agent hears' : `${agents} agents hear`;
        say({ tone: 'good', text: `${to} ${all.length === 1 ? 'it' : `all ${all.length}`} with the next message` });
      }),
  };
}

/** Some lines of the text as the change left it; without lines, the file. */
export function draftOn(
  change: ChangeJson,
  text: string,
  seen?: { readonly lines: [number, number]; readonly excerpt: string },
): Draft {
  return { session: change.session ?? '', path: change.movedTo ?? change.path, text, ...seen };
}

function stored(place: string): readonly Draft[] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(place) ?? '[]');
    return Array.isArray(value) ? (value as Draft[]) : [];
  } catch {
    return []; // What somebody else wrote there is no draft of ours.
  }
}
