import type { Author, Evidence } from './author.js';
import type { FileChange, LineRange } from './file.js';
import type { CallId, ChangeId, CheckpointId, ContentId, HunkId, Seq, SessionId } from './ids.js';
import type { WorkspacePath } from './path.js';
import type { ToolAction } from './tool.js';

/**
 * The log is a sequence of these. Each is self-contained and refers to bytes by content id. A kind is only ever added:
 * a reader that meets one it does not know skips it and says so.
 */
export type Operation = Stamp & OperationBody;

/** `at` is in milliseconds since the epoch, UTC; it informs, `seq` orders. */
export type Stamp = { readonly seq: Seq; readonly at: number };

export type OperationBody =
  | WorkspaceOpened
  | SessionStarted
  | SessionEnded
  | SessionRenamed
  | SessionDeleted
  | Prompted
  | CallBegan
  | CallEnded
  | Shown
  | ContextCut
  | Changed
  | Attributed
  | Committed
  | Acknowledged
  | Decided
  | Resolved
  | CheckpointSaved
  | CheckpointDeleted
  | CheckpointPinned
  | Restored
  | Undone
  | Forgotten
  | LogSalvaged;

export type OperationKind = OperationBody['kind'];

/** The tree was looked at as a whole. What differed from the last known state follows as a `changed`. */
export type WorkspaceOpened = {
  readonly kind: 'workspace-opened';
  readonly files: number;
  readonly head: string | null;
};

export type SessionStarted = {
  readonly kind: 'session-started';
  readonly session: SessionId;
  readonly agent: string;
  readonly title: string;
  readonly worktree?: { readonly path: string; readonly mode: 'auto' | 'review' };
  /** The session that it runs within: what either can have done is the inner one's. */
  readonly parent?: SessionId;
};
export type SessionEnded = { readonly kind: 'session-ended'; readonly session: SessionId };
export type SessionRenamed = { readonly kind: 'session-renamed'; readonly session: SessionId; readonly title: string };
export type SessionDeleted = { readonly kind: 'session-deleted'; readonly session: SessionId };

export type Prompted = {
  readonly kind: 'prompted';
  readonly session: SessionId;
  readonly turn: string;
  readonly text: string;
};

export type CallBegan = {
  readonly kind: 'call-began';
  readonly session: SessionId;
  readonly call: CallId;
  readonly tool: string;
  readonly action: ToolAction;
  readonly turn?: string;
  readonly agentId?: string;
  readonly messageIndex?: number;
  /** The files that the call names or is predicted to write; their content was secured before this was logged. */
  readonly names: readonly WorkspacePath[];
  /** The call's input: what it was to write is proof of who wrote it. Null for calls that only read. */
  readonly input: CallInput | null;
  /** Where its relative paths start; there along with `input`. */
  readonly cwd?: string;
  readonly decision: 'allow' | 'warn' | 'deny';
  /** Set when the news of the call may have come after the call itself. */
  readonly observed?: true;
};
/** JSON text, in place while it is short, or by content id. */
export type CallInput = { readonly json: string } | { readonly content: ContentId };
export type CallEnded = {
  readonly kind: 'call-ended';
  readonly session: SessionId;
  readonly call: CallId;
  readonly outcome: 'ok' | 'failed' | 'expired';
  /**
   * It may have left something running that goes on writing, until another end of the call without this, the end of the
   * session, or its age. `handle`: what the agent calls the running thing by.
   */
  readonly lingers?: { readonly handle: string | null };
};

export type ShownSource = 'read' | 'mention';
export type Shown = {
  readonly kind: 'shown';
  readonly session: SessionId;
  readonly source: ShownSource;
  readonly files: readonly ShownFile[];
};
export type ShownFile = {
  readonly path: WorkspacePath;
  readonly content: ContentId;
  readonly lines?: LineRange;
  /** The file was another by the time this was logged, and that change stands in the log before it. */
  readonly stale?: true;
};
/** Compaction or truncation: what was shown before this is no longer in front of the model. */
export type ContextCut = { readonly kind: 'context-cut'; readonly session: SessionId };

export type Changed = {
  readonly kind: 'changed';
  readonly author: Author;
  readonly evidence: Evidence;
  readonly turn?: string;
  readonly agentId?: string;
  readonly messageIndex?: number;
  /** What made it, where that is not the author's own hand: `git checkout`, `reconcile`, `import`. */
  readonly cause?: string;
  readonly files: readonly FileChange[];
};
/** Who made a change became known, or doubtful, after it was recorded. `by`: a person said so, and can take it back. */
export type Attributed = {
  readonly kind: 'attributed';
  readonly by?: 'person';
  readonly changes: readonly { readonly id: ChangeId; readonly file: FileChange }[];
  readonly author: Author;
  readonly evidence: Evidence;
};
/** The human's repository got a new HEAD whose tree may hold pending changes. */
export type Committed = { readonly kind: 'committed'; readonly head: string; readonly changes: readonly ChangeId[] };
/** Notices up to and including `upTo` reached the session's model. */
export type Acknowledged = { readonly kind: 'acknowledged'; readonly session: SessionId; readonly upTo: Seq };

export type Verdict = 'accept' | 'reject';
export type Conflict = {
  readonly change: ChangeId;
  readonly path: WorkspacePath;
  readonly base: ContentId | null;
  readonly ours: ContentId | null;
  readonly theirs: ContentId | null;
  readonly reason: string;
  /** The hunks it is about; without it, all that are open. */
  readonly hunks?: readonly HunkId[];
};
/**
 * What a decision took out of the files (`off`) or put back into them (`on`). The files of an operation that has this
 * follow from it, and are nobody's edit.
 */
export type Switched = {
  readonly to: 'on' | 'off';
  /** Changes with all that they did. */
  readonly whole: readonly ChangeId[];
  /** Single hunks; and, by the id of its change, what a change did beside its hunks. */
  readonly parts: readonly (HunkId | ChangeId)[];
  /** Where lines that came back are now, for each hunk that has any of them. */
  readonly places?: readonly { readonly hunk: HunkId; readonly now: readonly LineRange[] }[];
  /** Files it is about whose text it did not change: what it took out was gone already, or is still gone. */
  readonly unchanged?: readonly WorkspacePath[];
};
/** What the session of a rejected change shall hear of it: a short diff. */
export type Rejection = { readonly session: SessionId; readonly path: WorkspacePath; readonly text: string };
export type Decided = {
  readonly kind: 'decided';
  readonly verdict: Verdict;
  readonly hunks: readonly HunkId[];
  /** Changes decided as a whole: all of their hunks, and what has no hunks (binary, mode, rename). */
  readonly changes: readonly ChangeId[];
  readonly cascaded: readonly ChangeId[];
  readonly conflicts: readonly Conflict[];
  readonly comment?: string;
  readonly rejections?: readonly Rejection[];
  readonly switched?: Switched;
  readonly files: readonly FileChange[];
};
export type Resolved = {
  readonly kind: 'resolved';
  readonly change: ChangeId;
  readonly take: 'ours' | 'theirs' | 'edited';
  /** Pending changes that rested on it and went with it. */
  readonly cascaded?: readonly ChangeId[];
  readonly switched?: Switched;
  readonly files: readonly FileChange[];
};

export type CheckpointReason = 'start' | 'prompt' | 'before-tool' | 'after-tool' | 'manual' | 'rescue';
export type CheckpointSaved = {
  readonly kind: 'checkpoint-saved';
  readonly commit: string;
  readonly tree: string;
  readonly reason: CheckpointReason;
  readonly session?: SessionId;
  readonly call?: CallId;
  readonly message?: string;
  readonly files: number;
  readonly uncovered: number;
  /** The list of what is not covered, as a content. */
  readonly coverage?: ContentId;
  /** The tree is that after this operation; without it, that at the moment of saving. */
  readonly asOf?: Seq;
  /** Puts an earlier one right, which keeps its id. */
  readonly replaces?: CheckpointId;
  /** Set when files may have been changing meanwhile: each file is as it was at one moment, but not all at the same. */
  readonly moving?: true;
  /** Set when it is not known what some files held then, so that they are not in the tree; the list names them. */
  readonly incomplete?: true;
};
export type CheckpointPinned = {
  readonly kind: 'checkpoint-pinned';
  readonly checkpoint: CheckpointId;
  readonly state: 'pinned' | 'unpinned';
};
export type CheckpointDeleted = { readonly kind: 'checkpoint-deleted'; readonly checkpoints: readonly CheckpointId[] };
export type Restored = {
  readonly kind: 'restored';
  readonly checkpoint: CheckpointId;
  readonly rescue: CheckpointId;
  readonly mode: 'files' | 'conversation' | 'both';
  /** `keep-mine`: only what agents did since was taken back. Without it, the files are exactly those of the checkpoint. */
  readonly way?: 'exact' | 'keep-mine';
  /** Pending changes whose text the restore took away. */
  readonly takenBack: readonly ChangeId[];
  readonly files: readonly FileChange[];
};
/** `target` is the decision taken back; undoing an `undone` brings it again. */
export type Undone = {
  readonly kind: 'undone';
  readonly target: Seq;
  readonly switched?: Switched;
  readonly files: readonly FileChange[];
};
export type Forgotten = {
  readonly kind: 'forgotten';
  readonly contents: readonly ContentId[];
  readonly path?: WorkspacePath;
};

/**
 * The log was damaged. What could be read of it stands before this, under the old numbers; the file is kept as `aside`.
 * None of the numbers between the one before and this one is ever used again.
 */
export type LogSalvaged = { readonly kind: 'log-salvaged'; readonly aside: string; readonly taken: number };

/** Every kind this version understands; `satisfies` keeps it equal to the union. */
const KINDS = {
  'workspace-opened': true,
  'session-started': true,
  'session-ended': true,
  'session-renamed': true,
  'session-deleted': true,
  prompted: true,
  'call-began': true,
  'call-ended': true,
  shown: true,
  'context-cut': true,
  changed: true,
  attributed: true,
  committed: true,
  acknowledged: true,
  decided: true,
  resolved: true,
  'checkpoint-saved': true,
  'checkpoint-deleted': true,
  'checkpoint-pinned': true,
  restored: true,
  undone: true,
  forgotten: true,
  'log-salvaged': true,
} satisfies Record<OperationKind, true>;

export function isKnownKind(kind: string): kind is OperationKind {
  return Object.hasOwn(KINDS, kind);
}

/** Operations that say what became of files. */
export const FILE_KINDS: readonly OperationKind[] = ['changed', 'decided', 'resolved', 'restored', 'undone'];
/** With those that only say whose it was. */
export const HISTORY_KINDS: readonly OperationKind[] = [...FILE_KINDS, 'attributed'];

/** The files an operation changed on disk, whatever its kind: chains of before and after run through these alone. */
export function filesOf(operation: OperationBody): readonly FileChange[] {
  switch (operation.kind) {
    case 'changed':
    case 'decided':
    case 'resolved':
    case 'restored':
    case 'undone':
      return operation.files;
    default:
      return [];
  }
}

/** The session an operation belongs to, for finding all of a session's operations. */
export function sessionOfOperation(operation: OperationBody): SessionId | null {
  if ('session' in operation && operation.session !== undefined) return operation.session;
  if ('author' in operation && operation.author.kind === 'agent') return operation.author.session;
  return null;
}

export function callOfOperation(operation: OperationBody): CallId | null {
  if ('call' in operation && operation.call !== undefined) return operation.call;
  if ('author' in operation && operation.author.kind === 'agent') return operation.author.call;
  return null;
}
