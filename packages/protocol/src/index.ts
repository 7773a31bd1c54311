export type { Answer, Client } from './client.js';
export { createClient } from './client.js';
export type { ClientEvent } from './client-events.js';
export type { ClientFailure } from './client-failure.js';
export type { FetchLike } from './fetch-like.js';
export { candidatesJson, changeJson } from './json/change-json.js';
export { checkpointJson } from './json/checkpoint-json.js';
export { contextJson } from './json/context-json.js';
export { instant } from './json/instant.js';
export { openFileJson, patchJson } from './json/open-files-json.js';
export type { OperationJson } from './json/operation-json.js';
export { operationJson } from './json/operation-json.js';
export { countBySession, sessionJson } from './json/session-json.js';
export { staleJson } from './json/stale-json.js';
export { flowConflictJson, worktreeJson } from './json/worktree-json.js';
export type { DaemonAddress } from './light.js';
export { AUTHORIZATION, bearer, CONTENT_TYPE, JSON_TYPE, LAST_EVENT_ID } from './light.js';
export type { KnownRefusal, RefusalCode } from './refusals.js';
export { errorJson, problemOf, refusalTable } from './refusals.js';
export type { BlamedLineJson, ContributionJson, LineAuthorJson, TallyJson } from './routes/attribution.js';
export type { CheckpointDifferenceJson } from './routes/checkpoints.js';
export { MESSAGES_DEFAULT } from './routes/conversations.js';
export type { Endpoint, EndpointName, ParamsIn } from './routes/endpoints.js';
export { ENDPOINTS, idOfSegment, pathOf } from './routes/endpoints.js';
export { OPERATIONS_DEFAULT } from './routes/log.js';
export type { DecisionJson } from './routes/review.js';
export type { Route } from './routes/route.js';
export type { AnswerOf, BodyOf, QueryOf } from './routes/routes.js';
export { ROUTES } from './routes/routes.js';
export type {
  BeginAnswerJson,
  BeginJson,
  EndAnswerJson,
  EndJson,
  NoteAnswerJson,
  NoteJson,
} from './schemas/call.js';
export type { ChangeJson, HunkJson } from './schemas/change.js';
export { Change, Hunk } from './schemas/change.js';
export type { CheckpointJson } from './schemas/checkpoint.js';
export type { ContextJson } from './schemas/context.js';
export { Context } from './schemas/context.js';
export { ErrorDocument } from './schemas/error.js';
export type { MessageJson, SearchHitJson, TimelineEntryJson } from './schemas/message.js';
export { SearchHit } from './schemas/message.js';
export type { OpenFileJson } from './schemas/open-files.js';
export { OpenFile } from './schemas/open-files.js';
export type { PatchJson, ShownPatchJson } from './schemas/patch.js';
export { Patch, ShownPatch } from './schemas/patch.js';
export { Lines } from './schemas/scalars.js';
export type { NoticeJson, SessionJson } from './schemas/session.js';
export type { SettingName, SettingsJson } from './schemas/settings.js';
export {
  SETTING_NAMES,
  Settings,
  SettingsFile,
  settingChoices,
  settingDescription,
  settingText,
  settingValue,
} from './schemas/settings.js';
export type { StaleJson } from './schemas/stale.js';
export { StaleFile } from './schemas/stale.js';
export type { StatusAnswer, WorkspaceFactsJson } from './schemas/status.js';
export { WorkspaceStatus } from './schemas/status.js';
export type { FlowConflictJson, WorktreeJson } from './schemas/worktree.js';
export type { ServerEvent } from './sse.js';
export { EventParser, encodeEvent, KEEPALIVE, KEEPALIVE_INTERVAL_MS } from './sse.js';
export { PROTOCOL_VERSION, VERSION } from './version.js';
