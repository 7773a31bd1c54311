import type { ChangeJson, Client } from '@palimpsest/protocol';
import { useCallback, useRef, useState } from 'react';
import { shownText } from '../link/contents.js';
import { Refused } from '../link/page-client.js';
import type { Loaded, Texts } from './items.js';

/** The texts of the changes that came into sight. */
export function useLoaded(client: Client): readonly [Loaded, (change: ChangeJson) => void] {
  const [loaded, setLoaded] = useState<Loaded>(new Map());
  const asked = useRef(new Set<string>());
  const load = useCallback(
    (change: ChangeJson) => {
      if (asked.current.has(change.id)) return;
      asked.current.add(change.id);
      const tell = (texts: Texts | string) => setLoaded((all) => new Map(all).set(change.id, texts));
      textsOf(client, change).then(tell, (error: unknown) => {
        tell(error instanceof Refused ? error.message : String(error));
      });
    },
    [client],
  );
  return [loaded, load];
}

async function textsOf(client: Client, { before, after, path, fromPath }: ChangeJson): Promise<Texts> {
  const [old, now] = await Promise.all([
    shownText(client, before?.content ?? null, fromPath ?? path),
    shownText(client, after?.content ?? null, path),
  ]);
  return { before: old, after: now };
}
