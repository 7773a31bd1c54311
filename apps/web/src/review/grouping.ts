import type { ChangeJson, SessionJson } from '@palimpsest/protocol';

export const GROUPINGS = ['prompt', 'call', 'file', 'session'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Changes that are looked at, and may be decided, together. */
export type Group = {
  readonly key: string;
  readonly title: string;
  readonly detail: string;
  readonly changes: readonly ChangeJson[];
};

/** What a session was asked, by the id of the turn. */
export type Prompts = ReadonlyMap<string, string>;

/** Groups in the order of their first change; within one, changes stay in the order in which they happened. */
export function groupsOf(
  changes: readonly ChangeJson[],
  by: Grouping,
  sessions: readonly SessionJson[],
  prompts: Prompts,
): readonly Group[] {
  const groups = new Map<string, ChangeJson[]>();
  for (const change of changes) {
    const key = keyOf(change, by);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [change]);
    else group.push(change);
  }
  return [...groups].map(([key, members]) => ({
    key,
    changes: members,
    ...wordsFor(members[0]!, by, sessions, prompts),
  }));
}

function keyOf(change: ChangeJson, by: Grouping): string {
  const session = change.session ?? '';
  switch (by) {
    case 'prompt':
      return `${session}\n${change.turn ?? ''}`;
    case 'call':
      return `${session}\n${change.callId ?? change.id}`;
    case 'file':
      return change.movedTo ?? change.path;
    case 'session':
      return session;
  }
}

function wordsFor(change: ChangeJson, by: Grouping, sessions: readonly SessionJson[], prompts: Prompts) {
  const session = sessions.find(({ id }) => id === change.session);
  const agent = change.agent ?? 'nobody known';
  switch (by) {
    case 'prompt': {
      const prompt = prompts.get(`${change.session}\n${change.turn}`);
      return {
        title: prompt ?? 'without a prompt',
        detail: `${agent}${session === undefined ? '' : `, ${session.title}`}`,
      };
    }
    case 'call':
      return { title: change.tool ?? 'not known', detail: `${agent}, ${change.callId ?? 'no call'}` };
    case 'file':
      return { title: change.movedTo ?? change.path, detail: '' };
    case 'session':
      return { title: session?.title || change.session || 'without a session', detail: agent };
  }
}
