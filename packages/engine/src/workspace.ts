import type {
  CallId,
  Checkpoint,
  LineRange,
  Operation,
  Outcome,
  ReviewEntry,
  Seq,
  SessionId,
  SessionState,
  WorkspacePath,
} from '@palimpsest/core';
import type { Refusal } from './basis/refusal.js';
import type { BeginAnswer, CallFacts, EndAnswer } from './call/calls.js';
import type { CommentRequest } from './call/commenting.js';
import type { FreshnessReport } from './call/freshness-report.js';
import type { Note } from './call/notes.js';
import type { Notice } from './call/notices.js';
import type { StartSession } from './call/session-desk.js';
import type { KeptCheckpoint, SaveRequest } from './checkpoint/checkpoint-desk.js';
import type { CheckpointDiff } from './checkpoint/checkpoint-diff.js';
import type { Collected } from './checkpoint/collector.js';
import type { RestorePlan, RestoreRequest } from './checkpoint/restore-plan.js';
import type { RestoreAnswer } from './checkpoint/restorer.js';
import type { ContextVerbs } from './context/context-desk.js';
import type { OpenFilesVerbs } from './context/open-files-desk.js';
import type { PatchVerbs } from './context/patch-desk.js';
import type { ConversationVerbs } from './conversation/conversations.js';
import type { TranscriptVerbs } from './conversation/transcripts.js';
import type { Contribution, Revision } from './exchange/contributions.js';
import type { ExchangeVerbs } from './exchange/exchange-desk.js';
import type { Overlap } from './flow/radar.js';
import type { WorktreeVerbs } from './flow/worktree-verbs.js';
import type { Forgotten } from './forget/forgetting.js';
import type { ForgetRequest } from './forget/target.js';
import type { ChangesRequest } from './review/changes.js';
import type { ReviewVerbs } from './review/reviewer.js';
import type { Listener } from './store/live-log.js';
import type { Uncovered } from './tree/coverage.js';

/**
 * The door to one workspace. Everything that changes its state goes through one queue, in the order it was asked for;
 * reading never waits for it. Expected refusals are values.
 */
export interface Workspace extends ReviewVerbs, ExchangeVerbs {
  readonly id: string;
  /** Absolute and free of links. */
  readonly root: string;

  status(): Promise<WorkspaceStatus>;
  /** Resolves when the tree has been gone through once since opening. A call that has to wait for it does so itself. */
  stockTaken(): Promise<void>;
  /** Looks at the world now, and records what is found. */
  look(): Promise<void>;

  startSession(request: StartSession): Promise<Outcome<SessionState, Refusal>>;
  endSession(session: string): Promise<Outcome<SessionState, Refusal>>;
  renameSession(session: string, title: string): Promise<Outcome<SessionState, Refusal>>;
  deleteSession(session: string): Promise<Outcome<SessionState, Refusal>>;
  sessions(): readonly SessionState[];
  session(id: string): SessionState | null;

  begin(request: BeginRequest): Promise<Outcome<BeginAnswer, Refusal>>;
  end(request: EndRequest): Promise<Outcome<EndResult, Refusal>>;
  note(note: Note): Promise<Outcome<{ readonly notices: readonly Notice[]; readonly seq: Seq | 0 }, Refusal>>;
  /**
   * For a running call that writes through us: the file becomes `bytes` if it holds `expected` (null: if there is none),
   * or nothing is written and the answer is `moved`. `path` as we write it. The call's end says what it changed.
   */
  replace(path: string, expected: string | null, bytes: Uint8Array): Promise<Outcome<WorkspacePath, Refusal>>;
  /** What a session should hear; asking does not use it up. */
  notices(session: string): readonly Notice[];
  /** The session's model has got the notices up to `upTo`. */
  acknowledge(session: string, upTo: number): Promise<Outcome<null, Refusal>>;
  /** What a person says to sessions about files; they hear it together, with their next message. */
  comment(comments: readonly CommentRequest[]): Promise<Outcome<{ readonly seq: Seq | 0 }, Refusal>>;

  /** Folders of their own that sessions work in. */
  readonly worktrees: WorktreeVerbs;

  changes(query: ChangesRequest): Promise<Outcome<readonly ReviewEntry[], Refusal>>;
  change(id: string): Promise<Outcome<ReviewEntry, Refusal>>;
  /** A unified diff of one change. */
  patch(id: string): Promise<Outcome<Uint8Array, Refusal>>;
  /** Of one session, or of all that are active. */
  stale(session?: string): Promise<readonly FreshnessReport[]>;

  /** The files that the model of a session shall have in front of it. */
  readonly openFiles: OpenFilesVerbs;
  /** What agents' calls did to files, call by call. */
  readonly patches: PatchVerbs;
  /** What a model should have in front of it for a prompt, within a budget, each part with why. Asking changes nothing. */
  readonly context: ContextVerbs['assemble'];
  /** A context is in front of the session's model: what it shows counts as seen from here on. */
  readonly contextDelivered: ContextVerbs['delivered'];

  /** Saves the whole covered tree as it is now. */
  saveCheckpoint(request?: SaveRequest): Promise<Outcome<KeptCheckpoint, Refusal>>;
  /** Oldest first. */
  checkpoints(request?: { readonly session?: string | undefined }): Promise<readonly KeptCheckpoint[]>;
  /** Between two checkpoints, or `now`. Line spans are measured when a path is given. */
  checkpointDiff(
    from: string,
    to: string,
    request?: { readonly path?: string | undefined },
  ): Promise<Outcome<CheckpointDiff, Refusal>>;
  /** What a restore would do; it touches nothing. */
  planRestore(id: string, request?: RestoreRequest): Promise<Outcome<RestorePlan, Refusal>>;
  /** With the token of a plan it does exactly that plan, or refuses with `moved`. */
  restore(
    id: string,
    request?: RestoreRequest & { readonly token?: string | undefined },
  ): Promise<Outcome<RestoreAnswer, Refusal>>;
  deleteCheckpoint(id: string): Promise<Outcome<Checkpoint, Refusal>>;
  /** A pinned checkpoint stays until it is unpinned or deleted by hand. */
  pinCheckpoint(id: string, state?: 'pinned' | 'unpinned'): Promise<Outcome<Checkpoint, Refusal>>;
  /** Lets go of what has served its time and removes what nothing needs. */
  gc(request?: { readonly dryRun?: boolean | undefined }): Promise<Outcome<Collected, Refusal>>;

  /** What was said in the sessions. */
  readonly conversations: ConversationVerbs;
  /** What agents write down of their sessions themselves. */
  readonly transcripts: TranscriptVerbs;

  /** Removes bytes from every place we keep them: those of a content id, or all that a file ever held. */
  forget(request: ForgetRequest): Promise<Outcome<Forgotten, Refusal>>;

  /**
   * Whose the lines are that each commit of a range brings; without one, those that are staged or, if none is, that are not
   * committed yet.
   */
  contributions(range?: string): Promise<Outcome<readonly Contribution[], Refusal>>;
  /** What a session was asked, oldest first. */
  prompts(
    session: string,
  ): Outcome<readonly { readonly turn: string; readonly text: string; readonly at: number }[], Refusal>;
  /** How the user's repository knows a file. */
  revisionOf(path: string): Promise<Outcome<Revision, Refusal>>;
  /** Writes into the user's repository: notes of commits, under this ref, where there is none yet. */
  attachNotes(
    ref: string,
    notes: readonly { readonly commit: string; readonly text: string }[],
    manner: 'do' | 'pretend',
  ): Promise<Outcome<{ readonly written: readonly string[]; readonly left: readonly string[] }, Refusal>>;

  readonly seq: Seq | 0;
  operations(since: number, limit: number): readonly Operation[];
  subscribe(listener: Listener): () => void;
  content(id: string): Promise<Outcome<Uint8Array, Refusal>>;

  close(): Promise<void>;
}

export type BeginRequest = CallFacts & {
  readonly session: string;
  readonly callId: string;
  readonly tool: string;
  readonly input?: unknown;
  readonly cwd?: string | undefined;
  readonly agent?: string | undefined;
  readonly parent?: string | undefined;
};

/** What the end knows of the call is for one whose beginning was never told. */
export type EndRequest = Omit<BeginRequest, 'tool'> & {
  readonly tool?: string | undefined;
  readonly ok?: boolean | undefined;
  readonly output?: string | undefined;
  /** The lines that a read of one file showed, where its tool says so; up to `LAST_LINE` when it reached the end. */
  readonly shown?: LineRange | undefined;
};

export type EndResult = {
  readonly known: EndAnswer['known'];
  readonly changes: readonly ReviewEntry[];
  /** Those that it may have made, and others as well. */
  readonly perhaps: readonly ReviewEntry[];
  readonly notices: readonly Notice[];
};

export type WorkspaceStatus = {
  readonly id: string;
  readonly root: string;
  readonly git: boolean;
  readonly head: string | null;
  readonly seq: Seq | 0;
  readonly watching: 'events' | 'scanning';
  /** What the user should know about how we are working, such as why we cannot watch. */
  readonly remarks: readonly string[];
  readonly takingStock: boolean;
  /** What some files hold, or which files there are, is not known yet. */
  readonly incomplete: boolean;
  readonly openCalls: readonly { readonly session: SessionId; readonly call: CallId; readonly tool: string }[];
  /** Calls that have ended and left something running that may still write. */
  readonly lingering: WorkspaceStatus['openCalls'];
  readonly pending: { readonly changes: number; readonly hunks: number; readonly files: number };
  /** Also files that could not be merged between a worktree and the workspace. */
  readonly conflicts: number;
  /** Lines that two sessions in worktrees have changed, and that will meet. */
  readonly radar: readonly Overlap[];
  readonly coverage: {
    readonly files: number;
    /** Files among them that are known by name only. */
    readonly unread: number;
    readonly uncovered: readonly Uncovered[];
    readonly beyond: number;
  };
  /** `onLoan`: not all of it is ours yet; the rest is read from the user's repository. */
  readonly store: { readonly bytes: number; readonly checkpoints: number; readonly onLoan: boolean };
};
