export type { Attribution, Circumstance, Claim, ClaimStrength } from './attribution.js';
export { attribute, sameHand, weakerEvidence } from './attribution.js';
export { laterAuthors } from './attributions.js';
export type { Author, Candidate, Evidence } from './author.js';
export { callsOf, HUMAN, isCandidate, isForReview, isPerhapsAPersons, NOBODY_KNOWN, sessionOf } from './author.js';
export type { Chain, Link } from './chain.js';
export { extendChain } from './chain.js';
export type { ChangeRecord, ContentField, RecordRange } from './exchange/change-record.js';
export { changeRecordFileName, formatChangeRecord, parseChangeRecord } from './exchange/change-record.js';
export type { ExportedChange, ImportedChange, ImportedChanges, RecordContent } from './exchange/change-records.js';
export { exportChanges, importChanges } from './exchange/change-records.js';
export type { FileRecord, FileRecordSource } from './exchange/file-record.js';
export { fileRecordsOf } from './exchange/file-record.js';
export { absolutePath, parseForeignPath } from './exchange/foreign-path.js';
export type { FormatError, JsonObject } from './exchange/json.js';
export type { ImportedRecords, TaskImport } from './exchange/task-import.js';
export { IMPORT_CAUSE, importFileRecords, UNRECORDED_CONTENT } from './exchange/task-import.js';
export type { TaskDialect, TaskMetadata } from './exchange/task-metadata.js';
export { formatTaskMetadata, parseTaskMetadata } from './exchange/task-metadata.js';
export type { CallOutcome, Explanation } from './explanation.js';
export { explain, isHalfWritten, sameButForFormat } from './explanation.js';
export type { ChangeKind, FileChange, FileMode, FileVersion } from './file.js';
export { kindOfChange, sameVersion } from './file.js';
export { withTexts } from './forget/operation-texts.js';
export type { Quotes } from './forget/quotes.js';
export { commonQuotes, looksLikeKey, quotesOf } from './forget/quotes.js';
export { FORGOTTEN_MARK, formsOf, Secrets, SHORTEST_SECRET } from './forget/secrets.js';
export { followMoves, halvesOf } from './identity.js';
export type { CallId, ChangeId, CheckpointId, ContentId, HunkId, IdError, Seq, SessionId } from './ids.js';
export {
  asCallId,
  asContentId,
  asSeq,
  asSessionId,
  changeId,
  changeOfHunk,
  checkpointId,
  FOREIGN_ID_LENGTH_LIMIT,
  hunkId,
  indexOfChange,
  indexOfHunk,
  parseCallId,
  parseChangeId,
  parseCheckpointId,
  parseContentId,
  parseHunkId,
  parseSessionId,
  seqOfChange,
  seqOfCheckpoint,
} from './ids.js';
export type { Intent } from './intent.js';
export { intentOf } from './intent.js';
export type { DiffOptions } from './lines/diff.js';
export { diffLines } from './lines/diff.js';
export type { Effort } from './lines/effort.js';
export { DEFAULT_EFFORT } from './lines/effort.js';
export type { ConflictChunk, ConflictLabels, MergeChunk, MergeResult } from './lines/merge.js';
export { mergeLines, renderConflict } from './lines/merge.js';
export type { LineSpan } from './lines/span.js';
export { countLines } from './lines/span.js';
export type { LineTally } from './lines/tally.js';
export { tallyLines } from './lines/tally.js';
export type { Lines } from './lines/text.js';
export { concatBytes, differingLines, equalBytes, isBinary, lineCount, sliceLines, splitLines } from './lines/text.js';
export type { UnifiedSide } from './lines/unified.js';
export { DEFAULT_CONTEXT_LINES, formatHunkHeader, formatUnified } from './lines/unified.js';
export { decodeUtf8, encodeUtf8 } from './lines/utf8.js';
export type { Mention } from './mentions.js';
export { findMentions, MENTION_LIMIT } from './mentions.js';
export type {
  Acknowledged,
  Attributed,
  CallBegan,
  CallEnded,
  CallInput,
  Changed,
  CheckpointDeleted,
  CheckpointPinned,
  CheckpointReason,
  CheckpointSaved,
  Committed,
  Conflict,
  ContextCut,
  Decided,
  Decision,
  Forgotten,
  Operation,
  OperationBody,
  OperationKind,
  Prompted,
  Rejection,
  Resolved,
  Restored,
  SessionDeleted,
  SessionEnded,
  SessionRenamed,
  SessionStarted,
  Shown,
  ShownFile,
  ShownSource,
  Stamp,
  Switched,
  Undone,
  Verdict,
  WorkspaceOpened,
} from './operation.js';
export {
  AUTHORED_KINDS,
  callOfOperation,
  DECISION_KINDS,
  FILE_KINDS,
  filesOf,
  HISTORY_KINDS,
  isDecision,
  isKnownKind,
  kindsWith,
  sessionOfOperation,
  traitsOf,
} from './operation.js';
export type { Outcome } from './outcome.js';
export { failed, ok, unreachable } from './outcome.js';
export type { PathError, WorkspacePath } from './path.js';
export {
  asPath,
  isGitInternal,
  isWithin,
  nameOf,
  PATH_LENGTH_LIMIT,
  parentOf,
  parsePath,
  parseWindowsPath,
  spokenPath,
  trustPath,
} from './path.js';
export { versionsBefore } from './plan/as-of.js';
export type { AgentStretch, FileLife, LifeStep, Place } from './plan/file-life.js';
export { agentStretches, livesOf, namesOfLife, samePlace } from './plan/file-life.js';
export type { PlannedLines } from './plan/line-account.js';
export { LineAccount, LineWitness } from './plan/line-account.js';
export type { PathStep } from './plan/path-history.js';
export { handOf, historyOf } from './plan/path-history.js';
export type { RetentionRule } from './plan/retention.js';
export { expiredCheckpoints, isAutomatic } from './plan/retention.js';
export type { FileText } from './plan/take-back.js';
export { takeBack } from './plan/take-back.js';
export type { LineRange } from './ranges.js';
export {
  holdsLine,
  intersectRanges,
  joinRanges,
  LAST_LINE,
  newRangeOf,
  rangesOverlap,
  rebaseRanges,
  subtractRanges,
} from './ranges.js';
export type { Inodes, Move, RenameCandidate, Renames } from './renames.js';
export { isSameFile, likeness, pairRenames, renameCandidates, withSimilar } from './renames.js';
export type { Obstacle } from './review/dependence.js';
export type { Segment } from './review/segments.js';
export type { Piece, SwitchedFile, SwitchPlan, SwitchRequest } from './review/switch-plan.js';
export { linesInSight, planSwitch } from './review/switch-plan.js';
export type { FileAttributes, PartAttributes, PartKey, WeavePart } from './review/weave.js';
export { BASE, Weave } from './review/weave.js';
export type { CanonicalTool, ToolAction } from './tool.js';
export { canonicalTool } from './tool.js';
export type { Effect, Replacement, Unproven } from './tools/effect.js';
export { bringsText, effectGives, effectOn, undoEffect } from './tools/effect.js';
export type { Command, FileIntent } from './tools/file-intent.js';
export type { Grounds } from './tools/grounds.js';
export { groundsOf, isRenewed, unseenIn } from './tools/grounds.js';
export type { PatchedFile } from './tools/patch.js';
export { filesOfPatch, parsePatch } from './tools/patch.js';
export type { PatchSection } from './tools/patch-section.js';
export type { Checkpoint, Checkpoints } from './views/checkpoints.js';
export { checkpointsView } from './views/checkpoints.js';
export type { Freshness, FreshnessState, Present, Seen, SessionFreshness } from './views/freshness.js';
export { freshnessOf, freshnessView, sightIn } from './views/freshness.js';
export type { HeardRejection, Review, Standing } from './views/review.js';
export { reviewView, SETTLED_LIMIT } from './views/review.js';
export type { ChangeStatus, ReviewEntry, ReviewHunk } from './views/review-entry.js';
export { entriesOf } from './views/review-entry.js';
export type { LingeringCall, OpenCall, SessionState, Sessions } from './views/sessions.js';
export { callKey, outerSessions, sessionsView } from './views/sessions.js';
export type { Cut, Sight } from './views/sight.js';
export { ALL_LINES, carried, coversAll, isWhole, withUnrelated } from './views/sight.js';
export type { Folded, View } from './views/view.js';
export { advance, foldAll, nothingFolded } from './views/view.js';
