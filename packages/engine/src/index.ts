export type { OpenRefusal, Refusal } from './basis/refusal.js';
export type { CheckpointSettings, GuardPolicy, GuardSettings, Settings } from './basis/settings.js';
export { DEFAULT_SETTINGS } from './basis/settings.js';
export type { BeginAnswer } from './call/calls.js';
export type { FreshnessReport } from './call/freshness-report.js';
export type { Decision } from './call/guard.js';
export type { Note } from './call/notes.js';
export type { Notice } from './call/notices.js';
export type { StartSession } from './call/session-desk.js';
export type { KeptCheckpoint, SaveRequest } from './checkpoint/checkpoint-desk.js';
export type { CheckpointDiff, DiffEntry } from './checkpoint/checkpoint-diff.js';
export type { Collected } from './checkpoint/collector.js';
export type {
  ConversationMoment,
  ConversationPlan,
  ConversationRestore,
} from './checkpoint/conversation-restore.js';
export type {
  RestoreConflict,
  RestoreMode,
  RestorePlan,
  RestoreRequest,
  Untouched,
} from './checkpoint/restore-plan.js';
export type { RestoreAnswer } from './checkpoint/restorer.js';
export type { ContributedFile, Contribution } from './exchange/contributions.js';
export type { Forgotten } from './forget/forgetting.js';
export type { ForgetRequest } from './forget/target.js';
export type { OpenOptions } from './open-workspace.js';
export { openWorkspace, workspaceId } from './open-workspace.js';
export type { BlameLine } from './review/blame.js';
export type { ChangesRequest } from './review/changes.js';
export type { BlameAuthor, Origin } from './review/line-author.js';
export type { ReviewVerbs } from './review/reviewer.js';
export type { Told } from './review/told.js';
export type { UndoOptions } from './review/undoing.js';
export type {
  AcceptAnswer,
  AttributeAnswer,
  AttributeTo,
  Left,
  LeftReason,
  RejectAnswer,
  RejectOptions,
  ResolveAnswer,
  ResolveOptions,
  ResolveWith,
  Selection,
  UndoAnswer,
  VerdictAnswer,
  VerdictOptions,
} from './review/verdict.js';
export type { Listener } from './store/live-log.js';
export type {
  BeginRequest,
  EndRequest,
  EndResult,
  Workspace,
  WorkspaceStatus,
} from './workspace.js';
