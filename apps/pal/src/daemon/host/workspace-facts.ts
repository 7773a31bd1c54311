import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspace } from '@palimpsest/engine';
import { instant, type WorkspaceFactsJson } from '@palimpsest/protocol';
import { writePrivateJson } from '../../surroundings/private-file.js';
import type { HostedWorkspace } from './hosted-workspace.js';

type Waiting = NonNullable<WorkspaceFactsJson['waiting']>;

/** What waits in a workspace, and when it was last asked for, told where it can be read while it is closed. */
const STANDING_NAME = 'standing.json';
const LOG_NAME = 'log.sqlite';
/** Files of a store that are measured; one with more is larger than the answer says. */
const MEASURED_FILES = 20_000;

export async function waitingIn(workspace: Workspace): Promise<Waiting> {
  const pending = await workspace.changes({ status: 'pending' });
  return { changes: pending.ok ? pending.value.length : 0, conflicts: workspace.conflicts().length };
}

/** Written after the log was closed, so that a log that is younger was not closed in good order. */
export function writeStanding(folder: string, standing: Standing): void {
  writePrivateJson(join(folder, STANDING_NAME), standing);
}

/** `usedAt` is in milliseconds since the epoch. */
type Standing = Waiting & { readonly usedAt: number };

/** What can be told of one without opening it; `waiting` is null where that is not known. */
export async function factsOf(
  known: { readonly id: string; readonly root: string },
  folder: string,
  open: HostedWorkspace | null,
): Promise<WorkspaceFactsJson> {
  const { id, root } = known;
  const closed = open === null ? standingIn(folder) : null;
  // Closing a log writes to it, so that its own time is the last resort: then nobody was there to close it.
  const usedAt = open?.usedAt ?? closed?.usedAt ?? timeOf(join(folder, LOG_NAME));
  return {
    ...{ id, root, open: open !== null, there: isFolder(root), bytes: bytesIn(folder) },
    usedAt: usedAt === null ? null : instant(usedAt),
    waiting: open === null ? (closed?.waiting ?? null) : await waitingIn(open.workspace),
  };
}

function standingIn(folder: string): { readonly waiting: Waiting; readonly usedAt: number | null } | null {
  const [closed, logged] = [timeOf(join(folder, STANDING_NAME)), timeOf(join(folder, LOG_NAME))];
  if (closed === null || logged === null || closed < logged) return null;
  try {
    const { changes, conflicts, usedAt } = JSON.parse(
      readFileSync(join(folder, STANDING_NAME), 'utf8'),
    ) as Partial<Standing>;
    if (typeof changes !== 'number' || typeof conflicts !== 'number') return null;
    return { waiting: { changes, conflicts }, usedAt: typeof usedAt === 'number' ? usedAt : null };
  } catch {
    return null;
  }
}

function bytesIn(folder: string): number {
  let left = MEASURED_FILES;
  const measure = (place: string): number => {
    let bytes = 0;
    for (const entry of readdirSync(place, { withFileTypes: true })) {
      if (left-- <= 0) break;
      const path = join(place, entry.name);
      bytes += entry.isDirectory() ? measure(path) : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
    }
    return bytes;
  };
  return measure(folder);
}

function timeOf(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
