import { type Outcome, ok } from '@palimpsest/core';
import type { Refusal, Workspace } from '@palimpsest/engine';
import { changeJson, type TallyJson } from '@palimpsest/protocol';

type Stats = {
  agents: (TallyJson & { agent: string })[];
  tools: (TallyJson & { agent: string; tool: string })[];
  unread: string[];
};
/** What is counted for one agent, or one tool of one. */
type Count = { -readonly [Field in keyof TallyJson]: number } & {
  readonly ids: Set<string>;
  readonly callIds: Set<string>;
};

/** What became of what agents did. Lines that survived are counted in the files as they are, by who first wrote them. */
export async function statsOf(workspace: Workspace): Promise<Outcome<Stats, Refusal>> {
  const listed = await workspace.changes({ status: 'all' });
  if (!listed.ok) return listed;
  const agents = new Map<string, Count>();
  const tools = new Map<string, Count>();
  const countsOf = (agent: string, tool: string) => [countIn(agents, [agent]), countIn(tools, [agent, tool])];
  const paths = new Set<string>();
  for (const entry of listed.value) {
    if (entry.author.kind !== 'agent') continue;
    const { agent, tool, session, call } = entry.author;
    const { status, added, removed, path, movedTo } = changeJson(entry, () => undefined);
    paths.add(movedTo ?? path);
    for (const count of countsOf(agent, tool)) {
      count.changes += 1;
      count[status] += 1;
      count.added += added;
      count.removed += removed;
      count.ids.add(session);
      count.callIds.add(JSON.stringify([session, call]));
    }
  }
  const unread = [...paths].slice(FILES_LIMIT);
  for (const path of [...paths].slice(0, FILES_LIMIT)) {
    const lines = await workspace.blame(path);
    if (!lines.ok && !WITHOUT_LINES.has(lines.error.code)) unread.push(path);
    for (const { author } of lines.ok ? lines.value : [])
      if (author.kind === 'agent') for (const count of countsOf(author.agent, author.tool)) count.survived += 1;
  }
  const rows = (counts: Map<string, Count>) => [...counts].sort(([, a], [, b]) => b.changes - a.changes);
  return ok({
    agents: rows(agents).map(([key, count]) => ({ agent: namesIn(key)[0]!, ...tallyOf(count) })),
    tools: rows(tools).map(([key, count]) => ({ agent: namesIn(key)[0]!, tool: namesIn(key)[1]!, ...tallyOf(count) })),
    unread,
  });
}

/** Each file's whole history is read; somebody waits for the answer. */
const FILES_LIMIT = 2_000;
/** A file that is gone, or is binary. */
const WITHOUT_LINES: ReadonlySet<Refusal['code']> = new Set(['no-such-file', 'bad-input']);

function countIn(counts: Map<string, Count>, names: readonly string[]): Count {
  const key = JSON.stringify(names);
  const zero = { sessions: 0, calls: 0, changes: 0, accepted: 0, rejected: 0, pending: 0, conflict: 0 };
  const count = counts.get(key) ?? {
    ...{ ...zero, added: 0, removed: 0, survived: 0 },
    ids: new Set<string>(),
    callIds: new Set<string>(),
  };
  counts.set(key, count);
  return count;
}

function namesIn(key: string): readonly string[] {
  return JSON.parse(key) as string[];
}

function tallyOf({ ids, callIds, ...count }: Count): TallyJson {
  return { ...count, sessions: ids.size, calls: callIds.size };
}
