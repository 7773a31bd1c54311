import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspace } from '@palimpsest/engine';
import { instant, type WorkspaceFactsJson } from '@palimpsest/protocol';
import { writePrivateJson } from '../../surroundings/private-file.js';

type Waiting = NonNullable<WorkspaceFactsJson['waiting']>;

/** What waits in a workspace, told where it can be read while it is closed. */
const STANDING_NAME = 'standing.json';
const LOG_NAME = 'log.sqlite';
/** Files of a store that are measured; one with more is larger than the answer says. */
const MEASURED_FILES = 20_000;

export async function waitingIn(workspace: Workspace): Promise<Waiting> {
  const pending = await workspace.changes({ status: 'pending' });
  return { changes: pending.ok ? pending.value.length : 0, conflicts: workspace.conflicts().length };
}

/** Written after the log was closed, so that a log that is younger was not closed in good order. */
export function writeStanding(folder: string, waiting: Waiting): void {
  writePrivateJson(join(folder, STANDING_NAME), waiting);
}

/** What can be told of one without opening it; `waiting` is null where that is not known. */
export async function factsOf(
  known: { readonly id: string; readonly root: string },
  folder: string,
  open: Workspace | null,
): Promise<WorkspaceFactsJson> {
  const { id, root } = known;
  const usedAt = timeOf(join(folder, LOG_NAME));
  return {
    ...{ id, root, open: open !== null, there: isFolder(root), bytes: bytesIn(folder) },
    usedAt: usedAt === null ? null : instant(usedAt),
    waiting: open === null ? standingIn(folder) : await waitingIn(open),
  };
}

function standingIn(folder: string): Waiting | null {
  const [closed, logged] = [timeOf(join(folder, STANDING_NAME)), timeOf(join(folder, LOG_NAME))];
  if (closed === null || logged === null || closed < logged) return null;
  try {
    const { changes, conflicts } = JSON.parse(readFileSync(join(folder, STANDING_NAME), 'utf8')) as Partial<Waiting>;
    return typeof changes === 'number' && typeof conflicts === 'number' ? { changes, conflicts } : null;
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
