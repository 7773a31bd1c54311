export type { BeginAnswer } from './calls.js';
export type { ChangesQuery } from './changes.js';
export type { Decision } from './guard.js';
export type { Listener } from './journal.js';
export type { Notice } from './notices.js';
export type { OpenOptions } from './open-workspace.js';
export { openWorkspace, workspaceId } from './open-workspace.js';
export type { OpenRefusal, Refusal } from './refusal.js';
export type { GuardPolicy, GuardSettings, Settings } from './settings.js';
export { DEFAULT_SETTINGS } from './settings.js';
export type {
  BeginRequest,
  ChangesRequest,
  EndRequest,
  EndResult,
  FreshnessReport,
  Note,
  StartSession,
  Workspace,
  WorkspaceStatus,
} from './workspace.js';
