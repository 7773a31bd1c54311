import type { WorkspaceFactsJson } from '@palimpsest/protocol';
import { bytes, counted } from './amount.js';
import { harmless } from './harmless.js';
import type { Style } from './style.js';
import { type Column, table } from './table.js';
import { ago } from './time.js';

/** The one that was used last comes first. */
export function workspacesText(workspaces: readonly WorkspaceFactsJson[], style: Style): string {
  if (workspaces.length === 0) return 'no workspaces yet: `pal status` in a folder makes one of it';
  const { paint, now } = style;
  const columns: readonly Column<WorkspaceFactsJson>[] = [
    {
      title: 'FOLDER',
      yields: true,
      text: ({ root, there }) => `${harmless(root)}${there ? '' : ' (gone)'}`,
      paint: ({ there }) => (there ? paint.name : paint.bad),
    },
    { title: 'WAITS', text: waitingText, paint: (one) => (isWaiting(one) ? paint.careful : undefined) },
    { title: 'KEPT', align: 'right', text: (one) => bytes(one.bytes) },
    { title: 'LAST USE', text: ({ usedAt }) => (usedAt === null ? '' : ago(usedAt, now)), paint: () => paint.quiet },
    { title: 'ID', drops: 1, text: ({ id }) => id, paint: () => paint.quiet },
  ];
  const newest = [...workspaces].sort((a, b) => ((a.usedAt ?? '') < (b.usedAt ?? '') ? 1 : -1));
  return table(columns, newest, style);
}

export function forgottenWorkspaceText(one: WorkspaceFactsJson, how: 'done' | 'dry-run', { paint }: Style): string {
  const kept = `${bytes(one.bytes)} of log, checkpoints and contents of ${harmless(one.root)}`;
  if (how === 'done') return paint.good(`removed ${kept}; its own files are as they were`);
  const waits = isWaiting(one)
    ? `\n${paint.careful(`${waitingText(one)} in it: they could not be rejected any more`)}`
    : '';
  return `would remove ${kept}; its own files stay${waits}\n  → \`pal forget-workspace ${one.id} --yes\` does it`;
}

function isWaiting({ waiting }: WorkspaceFactsJson): boolean {
  return waiting !== null && waiting.changes + waiting.conflicts > 0;
}

function waitingText({ waiting }: WorkspaceFactsJson): string {
  if (waiting === null) return 'not known';
  const conflicts = waiting.conflicts === 0 ? '' : `, ${counted(waiting.conflicts, 'conflict')}`;
  return waiting.changes + waiting.conflicts === 0 ? 'nothing' : `${counted(waiting.changes, 'change')}${conflicts}`;
}
