import {
  agentStretches,
  type FileText,
  type FileVersion,
  type PathStep,
  sameVersion,
  takeBack,
  type WorkspacePath,
} from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import { type KnownTree, versionOf } from '../known-tree.js';
import type { FileWrite } from '../writer.js';
import { obstacleAt } from './obstacles.js';
import type { RestoreConflict } from './restore-plan.js';

export type KeepMineDecisions = {
  readonly files: readonly FileWrite[];
  readonly texts: readonly Uint8Array[];
  readonly conflicts: readonly RestoreConflict[];
};

/** What it takes to have everything as it is, but without what agents did. Newest first, around everybody else's edits. */
export async function planKeepMine(
  root: string,
  history: ReadonlyMap<WorkspacePath, readonly PathStep[]>,
  known: KnownTree,
  content: ContentStore,
): Promise<KeepMineDecisions> {
  const files: FileWrite[] = [];
  const texts: Uint8Array[] = [];
  const conflicts: RestoreConflict[] = [];
  for (const [path, steps] of history) {
    if (agentStretches(steps).length === 0) continue;
    const state = known.get(path);
    const result =
      state?.kept === false ? ('too-large' as const) : await withoutAgents(versionOf(state), steps, content);
    if (typeof result === 'string') {
      conflicts.push({ path, reason: result });
      continue;
    }
    const next = versionOfText(result, content);
    if (sameVersion(next, versionOf(state))) continue;
    files.push({ path, expected: versionOf(state), next });
    if (result !== null) texts.push(result.bytes);
  }
  const removed = new Set(files.filter(({ next }) => next === null).map(({ path }) => path));
  const free = files.filter(({ path, expected }) => {
    const reason = expected === null ? obstacleAt(root, path, removed) : null;
    if (reason !== null) conflicts.push({ path, reason });
    return reason === null;
  });
  return { files: free, texts, conflicts };
}

async function withoutAgents(
  now: FileVersion | null,
  steps: readonly PathStep[],
  content: ContentStore,
): Promise<FileText | 'overlap' | 'bytes-gone'> {
  let text = await textOf(now, content);
  for (const stretch of agentStretches(steps)) {
    const [before, after] = [await textOf(stretch.before, content), await textOf(stretch.after, content)];
    if (text === 'bytes-gone' || before === 'bytes-gone' || after === 'bytes-gone') return 'bytes-gone';
    const taken = takeBack(text, before, after);
    if (taken === 'conflict') return 'overlap';
    text = taken;
  }
  return text;
}

async function textOf(version: FileVersion | null, content: ContentStore): Promise<FileText | 'bytes-gone'> {
  if (version === null) return null;
  const found = await content.get(version.content);
  return found.ok ? { bytes: found.value, mode: version.mode } : 'bytes-gone';
}

function versionOfText(text: FileText, content: ContentStore): FileVersion | null {
  if (text === null) return null;
  return { content: content.idOf(text.bytes), mode: text.mode, size: text.bytes.byteLength };
}
