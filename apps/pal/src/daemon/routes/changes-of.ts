import type { ReviewEntry } from '@palimpsest/core';
import type { Workspace } from '@palimpsest/engine';
import { type ChangeJson, changeJson } from '@palimpsest/protocol';

/** Changes as they travel, with the names of the agents that may have made them. */
export function changesOf(workspace: Workspace, entries: readonly ReviewEntry[]): ChangeJson[] {
  const agentOf = agentsOf(workspace);
  return entries.map((entry) => changeJson(entry, agentOf));
}

/** Looked up once, when the first is asked for: most changes have an author. */
export function agentsOf(workspace: Workspace): (session: string) => string | undefined {
  let agents: ReadonlyMap<string, string> | null = null;
  return (session) => {
    agents ??= new Map(workspace.sessions().map(({ id, agent }) => [id, agent]));
    return agents.get(session);
  };
}
