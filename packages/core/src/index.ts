export type { ApartFile, Located, Side } from './apart-file.js';
export type { Attribution, Circumstance, Claim, ClaimStrength } from './attribution/attribution.js';
export { attribute, sameHand } from './attribution/attribution.js';
export { laterAuthors } from './attribution/attributions.js';
export type { Chain, Link } from './attribution/chain.js';
export { extendChain, joinChain } from './attribution/chain.js';
export type { CallOutcome, Explanation } from './attribution/explanation.js';
export { explain, isHalfWritten, sameButForFormat } from './attribution/explanation.js';
export type { Move, Renames } from './attribution/renames.js';
export { isSameFile, likeness, pairRenames, renameCandidates, withSimilar } from './attribution/renames.js';
export type { Author, Candidate, Evidence } from './author.js';
export { callsOf, HUMAN, isCandidate, isForReview, isPerhapsAPersons, NOBODY_KNOWN, sessionOf } from './author.js';
export type { CheckpointReason, CheckpointSaved } from './checkpoint-operation.js';
export type {
  AssembledContext,
  BlockKind,
  ContextBlock,
  ContextFacts,
  FileFact,
  FoundFact,
  GitFact,
  GitPart,
  PatchFact,
} from './context/assemble.js';
export { assembleContext, DEFAULT_CONTEXT_BUDGET, uncovered, withFound } from './context/assemble.js';
export { isBuildOrTest } from './context/build-command.js';
export type { Gates, OpenFact, Situation } from './context/gates.js';
export { gatesOf } from './context/gates.js';
export type { Term } from './context/terms.js';
export { partsOf, termsOf, wordsIn } from './context/terms.js';
export { normalized } from './context/wishes.js';
export type { EffectiveHistory, HistoryItem } from './conversation/effective-history.js';
export { effectiveHistory, historyTokens } from './conversation/effective-history.js';
export { messageText, textsIn } from './conversation/message-text.js';
export type { EffectiveMessage } from './conversation/pairing.js';
export { rulesBroken } from './conversation/pairing.js';
export { anthropicRequest, openaiMessages } from './conversation/provider-messages.js';
export { callsIn, readMessage } from './conversation/read-message.js';
export type { Condensing, Reduced, ReduceRequest } from './conversation/reduce.js';
export { condensed, forcedReduction, halvedResult, planCondensing, reduceHistory } from './conversation/reduce.js';
export { excerptOf, searchTerms, spacedWords } from './conversation/search-words.js';
export type { TokenScale } from './conversation/tokens.js';
export {
  CONSERVATIVE_SCALE,
  calibrated,
  charsWithin,
  messageTokens,
  plainMessageTokens,
  textTokens,
} from './conversation/tokens.js';
export type { WindowError } from './conversation/window-error.js';
export { windowError } from './conversation/window-error.js';
export { agentTrace } from './exchange/agent-trace.js';
export { assistedBy } from './exchange/assisted-by.js';
export type { AttributedFile } from './exchange/attributed.js';
export { stretchesOf } from './exchange/attributed.js';
export type { ChangeRecord } from './exchange/change-record.js';
export { changeRecordFileName, formatChangeRecord, parseChangeRecord } from './exchange/change-record.js';
export type { ExportedChange, ImportedChange, RecordContent } from './exchange/change-records.js';
export { exportChanges, importChanges } from './exchange/change-records.js';
export { fileRecordsOf } from './exchange/file-record.js';
export { formatGitAiLog, GIT_AI_NOTES, hasGitAiName } from './exchange/git-ai.js';
export type { JsonArrayText } from './exchange/json-array.js';
export { joinJsonArray, withItems } from './exchange/json-array.js';
export type { Damage, TaskHistory, TaskMessage } from './exchange/task-history.js';
export {
  HISTORY_ITEM_FILE,
  HUMAN_FILE,
  LEGACY_FILE,
  MODEL_FILE,
  readTaskHistory,
  TASK_METADATA_FILE,
  taskHumanJson,
  taskModelJson,
} from './exchange/task-history.js';
export { IMPORT_CAUSE, importFileRecords, UNRECORDED_CONTENT } from './exchange/task-import.js';
export type { TaskDialect } from './exchange/task-metadata.js';
export { formatTaskMetadata, parseTaskMetadata } from './exchange/task-metadata.js';
export type { FileChange, FileMode, FileVersion } from './file.js';
export { kindOfChange, sameVersion } from './file.js';
export { Apart, isSame } from './flow/apart.js';
export type { FlowPlan } from './flow/merge-file.js';
export { BYTES_DIFFER, mergeTexts, planFlow, TEXTS_DIFFER } from './flow/merge-file.js';
export { withoutTexts, withTexts } from './forget/operation-texts.js';
export { commonQuotes, looksLikeKey, quotesOf } from './forget/quotes.js';
export { formsOf, Secrets, SHORTEST_SECRET } from './forget/secrets.js';
export { followMoves, halvesOf } from './identity.js';
export type { CallId, ChangeId, CheckpointId, ContentId, FlowConflictId, HunkId, Seq, SessionId } from './ids.js';
export {
  asCallId,
  asContentId,
  asSeq,
  asSessionId,
  changeId,
  changeNamed,
  changeOfHunk,
  checkpointId,
  FOREIGN_ID_LENGTH_LIMIT,
  flowConflictId,
  indexOfChange,
  indexOfHunk,
  parseCallId,
  parseChangeId,
  parseCheckpointId,
  parseContentId,
  parseFlowConflictId,
  parseHunkId,
  parseOperationName,
  parseSessionId,
  seqOfChange,
} from './ids.js';
export { isNestedTooDeeply } from './json-nesting.js';
export { diffLines } from './lines/diff.js';
export { mergeLines, renderConflict } from './lines/merge.js';
export type { LineTally } from './lines/tally.js';
export { tallyLines } from './lines/tally.js';
export type { Lines } from './lines/text.js';
export { concatBytes, differingLines, equalBytes, isBinary, lineCount, sliceLines, splitLines } from './lines/text.js';
export { formatHunkHeader, formatUnified } from './lines/unified.js';
export { decodeUtf8, encodeUtf8 } from './lines/utf8.js';
export { addTo } from './lists.js';
export { findMentions } from './mentions.js';
export type {
  Block,
  HistoryName,
  HistoryReduced,
  KeptJson,
  Message,
  MessageAdded,
  MessageForm,
  MessageRole,
  MessageSource,
  Reduction,
  TaskFile,
  TaskImported,
} from './message.js';
export type {
  Attributed,
  CallBegan,
  CallEnded,
  CallInput,
  Changed,
  Comment,
  Conflict,
  Decided,
  Decision,
  Found,
  OpenFilesAct,
  Operation,
  OperationBody,
  OperationKind,
  Rejection,
  Resolved,
  SessionStarted,
  Shown,
  ShownFile,
  Switched,
  Undone,
} from './operation.js';
export {
  AUTHORED_KINDS,
  callOfOperation,
  DECISION_KINDS,
  FILE_KINDS,
  HISTORY_KINDS,
  isDecision,
  isKnownKind,
  kindsWith,
  sessionOfOperation,
  traitsOf,
} from './operation.js';
export { filesAnywhere, filesAt, filesOf, placeOf } from './operation-files.js';
export type { Outcome } from './outcome.js';
export { failed, ok, unreachable } from './outcome.js';
export type { WorkspacePath } from './path.js';
export {
  asPath,
  isGitInternal,
  isWithin,
  nameOf,
  PATH_LENGTH_LIMIT,
  parentOf,
  parsePath,
  spokenPath,
  trustPath,
} from './path.js';
export { pathGlob } from './path-glob.js';
export type { PlaceId } from './place.js';
export { parsePlaceId, placeId } from './place.js';
export { versionsBefore } from './plan/as-of.js';
export type { FileLife, Place } from './plan/file-life.js';
export { agentStretches, livesOf, namesOfLife, samePlace } from './plan/file-life.js';
export type { PlannedLines } from './plan/line-account.js';
export { LineAccount, LineWitness } from './plan/line-account.js';
export type { PathStep } from './plan/path-history.js';
export { handOf, historyOf } from './plan/path-history.js';
export { expiredCheckpoints, isAutomatic } from './plan/retention.js';
export type { FileText } from './plan/take-back.js';
export { takeBack } from './plan/take-back.js';
export type { LineRange } from './ranges.js';
export { intersectRanges, joinRanges, LAST_LINE, rangesOverlap, subtractRanges } from './ranges.js';
export type { Segment } from './review/segments.js';
export type { Piece, SwitchPlan, SwitchRequest } from './review/switch-plan.js';
export { planSwitch } from './review/switch-plan.js';
export type { PartKey } from './review/weave.js';
export { Weave } from './review/weave.js';
export type { LineSpan } from './span.js';
export { countLines, newIndexOf } from './span.js';
export type { ToolAction } from './tool.js';
export { canonicalTool } from './tool.js';
export type { Effect } from './tools/effect.js';
export { bringsText, effectOn } from './tools/effect.js';
export type { Grounds } from './tools/grounds.js';
export { groundsOf, isRenewed, unseenIn } from './tools/grounds.js';
export { intentOf } from './tools/intent.js';
export { filesOfPatch, parsePatch } from './tools/patch.js';
export type { TranscriptPiece, TranscriptRead } from './transcript.js';
export type { Checkpoint, Checkpoints } from './views/checkpoints.js';
export { checkpointsView } from './views/checkpoints.js';
export type { Comments } from './views/comments.js';
export { commentsView } from './views/comments.js';
export type { Conversation, Conversations, MessageRange } from './views/conversations.js';
export { abandonedBranches, conversationsView, isInRanges, messageRanges } from './views/conversations.js';
export type { Freshness, FreshnessState, Seen } from './views/freshness.js';
export { freshnessOf, freshnessView, sightIn } from './views/freshness.js';
export type { ListedFile, OpenedBy, OpenFiles } from './views/open-files.js';
export {
  FOUND_FILES_LIMIT,
  openFilesOf,
  openFilesOfAll,
  openFilesView,
  RECENT_FILES_LIMIT,
} from './views/open-files.js';
export type { Patch, Patches } from './views/patches.js';
export { clearedUpTo, PATCHES_LIMIT, patchesIn, patchesOf, patchesView } from './views/patches.js';
export type { Review } from './views/review.js';
export { changesAt, reviewView } from './views/review.js';
export type { ChangeStatus, ReviewEntry, ReviewHunk } from './views/review-entry.js';
export { entriesOf } from './views/review-entry.js';
export type { OpenCall, SessionState, Sessions } from './views/sessions.js';
export { callKey, outerSessions, sessionsView } from './views/sessions.js';
export type { Sight } from './views/sight.js';
export { carried, coversAll, isWhole, withUnrelated } from './views/sight.js';
export type { Folded, View } from './views/view.js';
export { advance, foldAll, nothingFolded } from './views/view.js';
export type { WorktreeState, Worktrees } from './views/worktrees.js';
export { worktreesView } from './views/worktrees.js';
export type { Agreement, FlowConflict, Flowed, FlowPair, WorktreeMade, WorktreeMode } from './worktree-operation.js';
