export type { BeginAnswer } from './calls.js';
export type { ChangesQuery } from './changes.js';
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
export type { Forgotten } from './forget/forgetting.js';
export type { ForgetRequest } from './forget/target.js';
export type { FreshnessReport } from './freshness-report.js';
export type { Decision } from './guard.js';
export type { Listener } from './journal.js';
export type { Note } from './notes.js';
export type { Notice } from './notices.js';
export type { OpenOptions } from './open-workspace.js';
export { openWorkspace, workspaceId } from './open-workspace.js';
export type { OpenRefusal, Refusal } from './refusal.js';
export type { BlameAuthor, BlameLine } from './review/blame.js';
export type { ReviewVerbs } from './review/reviewer.js';
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
  ResolveWith,
  Selection,
  UndoAnswer,
  VerdictAnswer,
  VerdictOptions,
} from './review/verdict.js';
export type { StartSession } from './session-desk.js';
export type { CheckpointSettings, GuardPolicy, GuardSettings, Settings } from './settings.js';
export { DEFAULT_SETTINGS } from './settings.js';
export type {
  BeginRequest,
  ChangesRequest,
  EndRequest,
  EndResult,
  Workspace,
  WorkspaceStatus,
} from './workspace.js';
