import type { Client, SessionJson } from '@palimpsest/protocol';
import { useAsked } from '../frame/asked.js';
import { answer } from '../link/page-client.js';
import type { Prompts } from './grouping.js';

const NONE: Prompts = new Map();

/** What the sessions with something to review were asked. */
export function usePrompts(client: Client, sessions: readonly SessionJson[]): Prompts {
  const ids = sessions.filter(({ pending }) => pending > 0).map(({ id }) => id);
  const turns = sessions.map(({ turn }) => turn).join();
  const asked = useAsked(
    async (signal) => {
      const told = await Promise.all(
        ids.map(async (session) => {
          const { prompts } = await answer(client.listPrompts({ params: { session }, signal }));
          return prompts.map(({ turn, text }) => [`${session}\n${turn}`, text] as const);
        }),
      );
      return new Map(told.flat());
    },
    [client, ids.join(), turns],
  );
  return asked.value ?? NONE;
}
