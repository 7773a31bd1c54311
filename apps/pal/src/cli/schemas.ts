import { Change, ErrorDocument, Hunk, ROUTES, SettingsFile } from '@palimpsest/protocol';
import { z } from 'zod';

const { answer: status } = ROUTES.status;
const One = z.object({ change: Change, hunks: z.array(Hunk) });
const Check = z.object({
  check: z.string(),
  state: z.string(),
  message: z.string(),
  remedy: z.string().optional(),
});

/** What each command answers with `--json`, by the words that call it; and what `settings.json` may hold. */
export const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  settings: SettingsFile,
  error: ErrorDocument,
  status,
  workspaces: ROUTES.listWorkspaces.answer,
  'forget-workspace': ROUTES.forgetWorkspace.answer,
  changes: ROUTES.listChanges.answer,
  show: z.union([One, z.object({ changes: z.array(One) })]),
  stale: ROUTES.listStale.answer,
  ui: ROUTES.makePageCode.answer,
  comment: z.object({ session: z.string(), ...ROUTES.comment.answer.shape }),
  opened: ROUTES.listOpenFiles.answer,
  open: ROUTES.setOpenFiles.answer,
  close: ROUTES.setOpenFiles.answer,
  pin: ROUTES.setOpenFiles.answer,
  unpin: ROUTES.setOpenFiles.answer,
  clear: ROUTES.setOpenFiles.answer,
  context: ROUTES.getContext.answer,
  'patches list': ROUTES.listPatches.answer,
  'patches show': ROUTES.showPatches.answer,
  'patches clear': ROUTES.clearPatches.answer,
  blame: z.object({ lines: ROUTES.blame.answer.shape.lines }),
  stats: ROUTES.stats.answer,
  notes: z.object({ dryRun: z.boolean(), ...ROUTES.writeNotes.answer.shape }),
  trailers: z.object({ trailers: z.array(z.string()) }),
  log: z.object({ operations: ROUTES.listOperations.answer.shape.operations }),
  diff: ROUTES.diffCheckpoints.answer,
  accept: ROUTES.accept.answer,
  reject: ROUTES.reject.answer,
  conflicts: ROUTES.listConflicts.answer,
  resolve: ROUTES.resolveConflict.answer,
  attribute: ROUTES.attribute.answer,
  undo: ROUTES.undo.answer,
  redo: ROUTES.redo.answer,
  gc: ROUTES.collectGarbage.answer,
  forget: ROUTES.forget.answer,
  note: ROUTES.addNote.answer,
  'tool begin': ROUTES.beginCall.answer,
  'tool end': ROUTES.endCall.answer,
  'session list': ROUTES.listSessions.answer,
  'session start': ROUTES.startSession.answer,
  'session end': ROUTES.endSession.answer,
  'session rename': ROUTES.renameSession.answer,
  'session delete': ROUTES.deleteSession.answer,
  'session show': z.object({
    ...ROUTES.getSession.answer.shape,
    ...ROUTES.listChanges.answer.shape,
    timeline: ROUTES.getTimeline.answer.shape.entries,
  }),
  'session search': ROUTES.search.answer,
  'session messages': z.object({ ...ROUTES.listMessages.answer.shape, ...ROUTES.listBranches.answer.shape }),
  'session history': z.union([ROUTES.getHistory.answer, ROUTES.reduceHistory.answer, ROUTES.expandHistory.answer]),
  'session import': ROUTES.importSession.answer,
  'worktree list': ROUTES.listWorktrees.answer,
  'worktree show': ROUTES.getWorktree.answer,
  'worktree sync': ROUTES.syncWorktree.answer,
  'worktree finish': ROUTES.finishWorktree.answer,
  'worktree remove': ROUTES.removeWorktree.answer,
  'checkpoint save': ROUTES.saveCheckpoint.answer,
  'checkpoint list': ROUTES.listCheckpoints.answer,
  'checkpoint diff': ROUTES.diffCheckpoints.answer,
  'checkpoint delete': ROUTES.deleteCheckpoint.answer,
  'checkpoint pin': ROUTES.pinCheckpoint.answer,
  'checkpoint restore': z.union([ROUTES.planRestore.answer, ROUTES.restoreCheckpoint.answer]),
  run: z.object({
    session: z.string().nullable(),
    exitCode: z.number(),
    signal: z.string().optional(),
    changes: z.array(Change),
    perhaps: z.array(Change),
    running: z.boolean(),
    tracked: z.boolean(),
  }),
  stop: z.object({ stopped: z.boolean(), pid: z.number().optional() }),
  doctor: z.object({ ok: z.boolean(), checks: z.array(Check) }),
};

export function schemaOf(name: string): Record<string, unknown> | null {
  const schema = Object.hasOwn(SCHEMAS, name) ? SCHEMAS[name] : undefined;
  return schema === undefined ? null : { ...z.toJSONSchema(schema, { io: 'output' }) };
}
