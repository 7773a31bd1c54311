export type { Answer, Client, ClientOptions } from './client.js';
export { createClient } from './client.js';
export type { ClientEvent, EventsOptions } from './client-events.js';
export type { ClientFailure } from './client-failure.js';
export type { ExitCode } from './exit.js';
export { EXIT } from './exit.js';
export type { BodyLike, FetchLike, RequestLike, ResponseLike } from './fetch-like.js';
export { candidatesJson, changeJson, hunkJson, linesJson } from './json/change-json.js';
export { checkpointJson } from './json/checkpoint-json.js';
export { instant, momentOf } from './json/instant.js';
export type { OperationJson } from './json/operation-json.js';
export { operationJson, operationOf } from './json/operation-json.js';
export { countBySession, sessionJson } from './json/session-json.js';
export type { FreshnessFacts } from './json/stale-json.js';
export { staleJson } from './json/stale-json.js';
export type { DaemonAddress, RequestParts } from './light.js';
export {
  AUTHORIZATION,
  bearer,
  CONTENT_TYPE,
  DEADLINE,
  JSON_TYPE,
  LAST_EVENT_ID,
  sendRequest,
} from './light.js';
export type { ErrorBody, ErrorJson, KnownRefusal, Problem, RefusalCode } from './refusals.js';
export { errorJson, exitOfError, problemOf } from './refusals.js';
export type { BlamedLineJson, ContributionJson, LineAuthorJson, TallyJson } from './routes/attribution.js';
export type { CheckpointDifferenceJson } from './routes/checkpoints.js';
export type { Endpoint, EndpointName, PathParams, QueryParams } from './routes/endpoints.js';
export { ENDPOINTS, idOfSegment, pathOf, segmentOf } from './routes/endpoints.js';
export { OPERATIONS_DEFAULT, OPERATIONS_LIMIT } from './routes/log.js';
export type { DecisionJson } from './routes/review.js';
export type { Route, RouteShape } from './routes/route.js';
export type { AnswerOf, BodyOf, QueryOf, Routes } from './routes/routes.js';
export { ROUTES } from './routes/routes.js';
export type {
  BeginAnswerJson,
  BeginJson,
  EndAnswerJson,
  EndJson,
  NoteAnswerJson,
  NoteJson,
} from './schemas/call.js';
export type { ChangeJson, HunkJson, StatusJson, VersionJson } from './schemas/change.js';
export { Change, Hunk } from './schemas/change.js';
export type { CheckpointJson } from './schemas/checkpoint.js';
export { Checkpoint } from './schemas/checkpoint.js';
export { ErrorDocument } from './schemas/error.js';
export { Lines } from './schemas/scalars.js';
export type { NoticeJson, SessionJson } from './schemas/session.js';
export { Notice, Session } from './schemas/session.js';
export type { SettingName, SettingsJson } from './schemas/settings.js';
export {
  SETTING_NAMES,
  Settings,
  settingChoices,
  settingDescription,
  settingText,
  settingValue,
} from './schemas/settings.js';
export type { StaleJson } from './schemas/stale.js';
export { StaleFile } from './schemas/stale.js';
export type { HealthJson, StatusAnswer, WorkspaceFactsJson, WorkspaceJson } from './schemas/status.js';
export { Health, WorkspaceStatus, WorkspaceSummary } from './schemas/status.js';
export type { ServerEvent } from './sse.js';
export { EventParser, encodeEvent, KEEPALIVE, KEEPALIVE_INTERVAL_MS } from './sse.js';
export { PROTOCOL_VERSION, VERSION } from './version.js';
