import type { WorkspaceStatus } from './workspace.js';
import type { WorkspaceParts } from './workspace-parts.js';

/** What is going on in a workspace, as far as it is known without looking. */
export async function statusOf(id: string, parts: WorkspaceParts): Promise<WorkspaceStatus> {
  const { root, repository, live, known, watch, rescan, store, opening, head, remarks, tracker } = parts;
  const { flows, worktrees } = parts;
  const { rulesCutShort, ...leftOut } = rescan.report;
  const entries = [...live.views.review.entries.values()];
  const pending = entries.filter((entry) => entry.status === 'pending');
  return {
    id,
    root,
    git: repository !== null,
    head: head.commit,
    seq: live.log.last,
    watching: watch.mode,
    remarks: [
      ...(watch.note === null ? [] : [watch.note]),
      ...notUnderstood(live.views.passedOver),
      ...notFollowed(rulesCutShort),
      ...remarks.list(),
    ],
    takingStock: opening.takingStock,
    incomplete: !opening.named || known.unread.size > 0,
    openCalls: [...live.views.sessions.openCalls.values()].map(callName),
    lingering: tracker.lingering().map(callName),
    pending: {
      changes: pending.length,
      hunks: pending.reduce((sum, entry) => sum + entry.hunks.filter((hunk) => hunk.status === 'pending').length, 0),
      files: new Set(pending.map((entry) => entry.path)).size,
    },
    conflicts: entries.filter((entry) => entry.status === 'conflict').length + worktrees.conflicts().length,
    radar: flows.radar.overlaps,
    coverage: { files: known.size, unread: known.unread.size, ...leftOut },
    store: {
      bytes: await store.content.bytesOnDisk(),
      checkpoints: live.views.checkpoints.saved.size,
      onLoan: store.loan.open,
    },
  };
}

function notUnderstood(kinds: ReadonlyMap<string, number>): readonly string[] {
  const counts = Array.from(kinds, ([kind, count]) => `${count} × ${kind}`);
  if (counts.length === 0) return [];
  return [`the log holds operations that this version does not understand and passes over: ${counts.join(', ')}`];
}

function notFollowed(files: readonly string[]): readonly string[] {
  if (files.length === 0) return [];
  const more = files.length === 1 ? '' : ` and ${files.length - 1} more`;
  return [
    `not all ignore rules of ${files[0]}${more} are followed, they are too many; what the others name is covered`,
  ];
}

type CallName = WorkspaceStatus['openCalls'][number];

function callName({ session, call, tool }: CallName): CallName {
  return { session, call, tool };
}
