import type { Author, Evidence } from './author.js';
import type { CheckpointDeleted, CheckpointPinned, CheckpointSaved } from './checkpoint-operation.js';
import type { FileChange } from './file.js';
import type { CallId, ChangeId, CheckpointId, ContentId, HunkId, Seq, SessionId } from './ids.js';
import type { HistoryReduced, KeptJson, MessageAdded, TaskImported } from './message.js';
import type { WorkspacePath } from './path.js';
import type { PlaceId } from './place.js';
import type { LineRange } from './ranges.js';
import type { ToolAction } from './tool.js';
import type { ConversationTakenBack, TranscriptRead } from './transcript.js';
import type {
  AtPlace,
  Flowed,
  WorktreeMade,
  WorktreeMode,
  WorktreeRemoved,
  WorktreeSynced,
} from './worktree-operation.js';

/**
 * The log is a sequence of these. Each is self-contained and refers to bytes by content id. A kind is only ever added:
 * a reader that meets one it does not know skips it and says so.
 */
export type Operation = Stamp & OperationBody;

/** `at` is in milliseconds since the epoch, UTC; it informs, `seq` orders. */
type Stamp = { readonly seq: Seq; readonly at: number };

export type OperationBody =
  | WorkspaceOpened
  | SessionStarted
  | SessionEnded
  | SessionRenamed
  | SessionDeleted
  | Prompted
  | MessageAdded
  | HistoryReduced
  | TaskImported
  | TranscriptRead
  | CallBegan
  | CallEnded
  | Shown
  | ContextCut
  | Changed
  | Attributed
  | Committed
  | Acknowledged
  | Decided
  | Commented
  | Resolved
  | CheckpointSaved
  | CheckpointDeleted
  | CheckpointPinned
  | Restored
  | Undone
  | WorktreeMade
  | WorktreeRemoved
  | WorktreeSynced
  | Flowed
  | Forgotten
  | OpenFilesSet
  | Found
  | PatchesCleared
  | LogSalvaged;

export type OperationKind = OperationBody['kind'];

/** The tree was looked at as a whole. What differed from the last known state follows as a `changed`. */
type WorkspaceOpened = {
  readonly kind: 'workspace-opened';
  readonly files: number;
  readonly head: string | null;
};

export type SessionStarted = {
  readonly kind: 'session-started';
  readonly session: SessionId;
  readonly agent: string;
  readonly title: string;
  readonly worktree?: {
    readonly path: string;
    readonly mode: WorktreeMode;
    readonly place?: PlaceId;
    /** The first of the ports for what runs in it. */
    readonly portBase?: number;
  };
  /** The session that it runs within: what either can have done is the inner one's. */
  readonly parent?: SessionId;
  /** What it runs on from here on, as the agent names it. */
  readonly model?: string;
};
type SessionEnded = { readonly kind: 'session-ended'; readonly session: SessionId };
type SessionRenamed = { readonly kind: 'session-renamed'; readonly session: SessionId; readonly title: string };
type SessionDeleted = { readonly kind: 'session-deleted'; readonly session: SessionId };

type Prompted = {
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
export type CallInput = KeptJson;
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

type ShownSource = 'read' | 'mention';
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
type ContextCut = { readonly kind: 'context-cut'; readonly session: SessionId };

export type Changed = AtPlace & {
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
export type Attributed = AtPlace & {
  readonly kind: 'attributed';
  readonly by?: 'person';
  readonly changes: readonly { readonly id: ChangeId; readonly file: FileChange }[];
  readonly author: Author;
  readonly evidence: Evidence;
};
/** The human's repository got a new HEAD whose tree may hold pending changes. */
export type Committed = { readonly kind: 'committed'; readonly head: string; readonly changes: readonly ChangeId[] };
/** Notices up to and including `upTo` reached the session's model. */
type Acknowledged = { readonly kind: 'acknowledged'; readonly session: SessionId; readonly upTo: Seq };

/** What a person says to a session about a file, or about some lines of it, which are quoted: numbers move. */
export type Comment = {
  readonly session: SessionId;
  readonly path: WorkspacePath;
  readonly lines?: LineRange;
  readonly excerpt?: string;
  readonly text: string;
};
/** Several at once reach their sessions together, with the next message. */
export type Commented = { readonly kind: 'commented'; readonly comments: readonly Comment[] };

type Verdict = 'accept' | 'reject';
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
export type Decided = AtPlace & {
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
export type Resolved = AtPlace & {
  readonly kind: 'resolved';
  readonly change: ChangeId;
  readonly take: 'ours' | 'theirs' | 'edited';
  /** Pending changes that rested on it and went with it. */
  readonly cascaded?: readonly ChangeId[];
  readonly switched?: Switched;
  readonly files: readonly FileChange[];
};

export type Restored = {
  readonly kind: 'restored';
  readonly checkpoint: CheckpointId;
  readonly rescue: CheckpointId;
  readonly mode: 'files' | 'conversation' | 'both';
  /** `keep-mine`: only what agents did since was taken back. Without it, the files are exactly those of the checkpoint. */
  readonly way?: 'exact' | 'keep-mine';
  /** Pending changes whose text the restore took away. */
  readonly takenBack: readonly ChangeId[];
  /** Whose conversation went back, and to after which operation; there unless the mode is `files`. */
  readonly conversation?: ConversationTakenBack;
  readonly files: readonly FileChange[];
};
/** `target` is the decision taken back; undoing an `undone` brings it again. */
export type Undone = AtPlace & {
  readonly kind: 'undone';
  readonly target: Seq;
  readonly switched?: Switched;
  readonly files: readonly FileChange[];
};
type Forgotten = {
  readonly kind: 'forgotten';
  readonly contents: readonly ContentId[];
  readonly path?: WorkspacePath;
};

/**
 * What somebody did with open files. `session` null: opened and pinned for every session there is or will be, and closed,
 * unpinned and cleared in all of them.
 */
export type OpenFilesSet = {
  readonly kind: 'open-files-set';
  readonly session: SessionId | null;
  readonly act: OpenFilesAct;
  /** None for the acts that are about all. */
  readonly paths: readonly WorkspacePath[];
};
export type OpenFilesAct = 'open' | 'pin' | 'unpin' | 'close' | 'clear' | 'clear-pins-too';
/** A search of the session's named these files: less than having seen them. */
export type Found = { readonly kind: 'found'; readonly session: SessionId; readonly paths: readonly WorkspacePath[] };
/** The patch ledger of a session, or without one of all, begins anew here. Nothing that it listed is removed. */
type PatchesCleared = { readonly kind: 'patches-cleared'; readonly session: SessionId | null };

/**
 * The log was damaged. What could be read of it stands before this, under the old numbers; the file is kept as `aside`.
 * None of the numbers between the one before and this one is ever used again.
 */
type LogSalvaged = { readonly kind: 'log-salvaged'; readonly aside: string; readonly taken: number };

/** What a kind means to whoever reads the log. */
type KindTraits = {
  /** It is a decision, which can be undone. */
  readonly undoable: boolean;
  /** How long it keeps the contents that it names from being removed. */
  readonly holds: 'always' | 'while-young' | 'never';
  /** It says whose changes are. */
  readonly author?: true;
  /** What its field `files` is: the stored format has one name for three things. */
  readonly files?: 'changed' | 'shown' | 'counted';
  /** Whether the text that it leaves in files is its own, or was there at an earlier time. */
  readonly text?: 'new' | 'earlier';
};

/** What a kind must say, and must not, because of the fields that it has. */
type TraitsOf<Body> = KindTraits &
  (Body extends { readonly author: Author } ? { readonly author: true } : { readonly author?: never }) &
  (Body extends { readonly files: infer Files }
    ? Files extends readonly FileChange[]
      ? { readonly files: 'changed'; readonly text: unknown }
      : { readonly files: Files extends number ? 'counted' : 'shown'; readonly text?: never }
    : { readonly files?: never; readonly text?: never });

/** Every kind that this version understands. Each list of kinds follows from it; a new kind does not compile without a row. */
const KINDS = {
  'workspace-opened': { undoable: false, holds: 'always', files: 'counted' },
  'session-started': { undoable: false, holds: 'always' },
  'session-ended': { undoable: false, holds: 'always' },
  'session-renamed': { undoable: false, holds: 'always' },
  'session-deleted': { undoable: false, holds: 'always' },
  prompted: { undoable: false, holds: 'always' },
  'message-added': { undoable: false, holds: 'always' },
  'history-reduced': { undoable: false, holds: 'always' },
  'task-imported': { undoable: false, holds: 'always' },
  'transcript-read': { undoable: false, holds: 'while-young' },
  'call-began': { undoable: false, holds: 'while-young' },
  'call-ended': { undoable: false, holds: 'always' },
  shown: { undoable: false, holds: 'while-young', files: 'shown' },
  'context-cut': { undoable: false, holds: 'always' },
  changed: { undoable: false, holds: 'while-young', author: true, files: 'changed', text: 'new' },
  attributed: { undoable: true, holds: 'while-young', author: true },
  committed: { undoable: true, holds: 'always' },
  acknowledged: { undoable: false, holds: 'always' },
  commented: { undoable: false, holds: 'always' },
  decided: { undoable: true, holds: 'while-young', files: 'changed', text: 'earlier' },
  resolved: { undoable: true, holds: 'while-young', files: 'changed', text: 'new' },
  // A checkpoint is needed while it is listed; the operation that saved it is not a reason.
  'checkpoint-saved': { undoable: false, holds: 'never', files: 'counted' },
  'checkpoint-deleted': { undoable: false, holds: 'never' },
  'checkpoint-pinned': { undoable: false, holds: 'always' },
  restored: { undoable: true, holds: 'while-young', files: 'changed', text: 'earlier' },
  undone: { undoable: true, holds: 'while-young', files: 'changed', text: 'earlier' },
  'worktree-made': { undoable: false, holds: 'always' },
  'worktree-removed': { undoable: false, holds: 'always' },
  'worktree-synced': { undoable: false, holds: 'always' },
  flowed: { undoable: false, holds: 'while-young', files: 'changed', text: 'earlier' },
  forgotten: { undoable: false, holds: 'never' },
  'open-files-set': { undoable: false, holds: 'never' },
  found: { undoable: false, holds: 'never' },
  'patches-cleared': { undoable: false, holds: 'never' },
  'log-salvaged': { undoable: false, holds: 'always' },
} as const satisfies { readonly [Kind in OperationKind]: TraitsOf<BodyOf<Kind>> };

export type BodyOf<Kind extends OperationKind> = Extract<OperationBody, { readonly kind: Kind }>;
type KindsWith<Traits> = {
  [Kind in OperationKind]: (typeof KINDS)[Kind] extends Traits ? Kind : never;
}[OperationKind];

export function isKnownKind(kind: string): kind is OperationKind {
  return Object.hasOwn(KINDS, kind);
}

/** Undefined for a kind that this version does not know. */
export function traitsOf(kind: string): KindTraits | undefined {
  return isKnownKind(kind) ? KINDS[kind] : undefined;
}

/** Operations that say what became of files. */
export const FILE_KINDS = kindsWith({ files: 'changed' });
/** Operations that say whose changes are. */
export const AUTHORED_KINDS = kindsWith({ author: true });
export const HISTORY_KINDS: readonly OperationKind[] = [...new Set([...FILE_KINDS, ...AUTHORED_KINDS])];
/** Decisions, which can be undone. */
export const DECISION_KINDS = kindsWith({ undoable: true });
export type Decision = BodyOf<(typeof DECISION_KINDS)[number]>;

export function isDecision(operation: Operation): operation is Operation & Decision {
  return traitsOf(operation.kind)?.undoable === true;
}

export function kindsWith<const Traits extends Partial<KindTraits>>(traits: Traits): readonly KindsWith<Traits>[] {
  const wanted = Object.entries(traits);
  const kinds = Object.entries(KINDS).filter(([, has]) =>
    wanted.every(([name, value]) => has[name as never] === value),
  );
  return kinds.map(([kind]) => kind as KindsWith<Traits>);
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
