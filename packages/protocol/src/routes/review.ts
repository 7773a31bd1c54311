import { z } from 'zod';
import { Change } from '../schemas/change.js';
import { Instant, Lines, SeqNumber } from '../schemas/scalars.js';
import { FlowConflict } from '../schemas/worktree.js';
import { route } from './route.js';

const Ids = z.array(z.string());
const Paths = z.array(z.string());
const Deleted = Paths.meta({ description: 'Those of `written` that are no file afterwards.' });

/** What a verdict is about: changes and hunks by id, all that is open of a call, session and path, or all; each narrows. */
const Selection = z.object({
  changes: Ids.optional().meta({ description: 'Ids, or `c7` for all that is open of operation 7.' }),
  hunks: Ids.optional().meta({ description: 'Ids of hunks; a change that is named as well means these hunks of it.' }),
  call: z.string().optional().meta({ description: 'Its id, or how only that one begins.' }),
  path: z.string().optional().meta({ description: 'A file, a folder, or a pattern such as `lib/**`.' }),
  session: z.string().optional().meta({ description: 'Its id, or how only that one begins.' }),
  all: z.boolean().optional(),
});
const Options = z.object({ at: SeqNumber.optional(), dryRun: z.boolean().optional() });
const Done = z.object({
  already: Ids.meta({ description: 'Those of what is accepted, or rejected, that were so before.' }),
  paths: Paths.meta({ description: 'The files of what was decided, written or not.' }),
  cascaded: Ids,
  conflicts: Ids,
  left: z.array(z.object({ id: z.string(), why: z.string() })),
  written: Paths,
  deleted: Deleted,
  seq: SeqNumber,
});
const Decision = z
  .object({
    seq: SeqNumber,
    kind: z.enum(['attributed', 'decided', 'resolved', 'committed', 'restored']),
    verdict: z.enum(['accept', 'reject']).optional(),
    ids: Ids,
    checkpoint: z.string().optional(),
    paths: Paths,
    at: Instant,
  })
  .meta({ id: 'Decision', description: 'What was decided about what, and when.' });
export type DecisionJson = z.infer<typeof Decision>;
const Undone = z.object({
  operation: SeqNumber,
  kind: z.string(),
  written: Paths,
  deleted: Deleted,
  decision: Decision.nullable(),
  afterNothing: z
    .boolean()
    .meta({ description: 'The verdict before this decided nothing, so that this is an older one than it may seem.' }),
  passedOver: z
    .array(SeqNumber)
    .meta({ description: 'Later decisions that stay, because bytes that it takes are gone.' }),
  seq: SeqNumber,
});
const DryRun = z.object({ dryRun: z.boolean().optional() });

export const reviewRoutes = {
  accept: route('accept', {
    summary: 'Accept; writes nothing if the workspace has the change already',
    body: Selection.extend(Options.shape),
    answer: Done.extend({ accepted: Ids }),
  }),
  reject: route('reject', {
    summary: 'Take text of agents out of the files again, around everybody else’s',
    body: Selection.extend(Options.shape).extend({
      cascade: z.enum(['dependents', 'file']).optional(),
      comment: z.string().optional(),
    }),
    answer: Done.extend({ rejected: Ids }),
  }),
  comment: route('comment', {
    summary: 'Say something to sessions about files; each hears all of it with its next message',
    body: z.strictObject({
      comments: z.array(
        z.strictObject({
          session: z.string(),
          path: z.string(),
          lines: Lines.optional(),
          excerpt: z.string().optional().meta({ description: 'The lines as the person saw them.' }),
          text: z.string(),
        }),
      ),
    }),
    answer: z.object({ seq: SeqNumber }),
  }),
  listConflicts: route('listConflicts', {
    summary: 'Changes that could not be merged',
    answer: z.object({
      changes: z.array(Change),
      flows: z.array(FlowConflict).meta({ description: 'Files between a worktree and the workspace.' }),
    }),
  }),
  resolveConflict: route('resolveConflict', {
    summary: 'Settle a conflict with one side, or with an edited text in base64',
    body: z.union([
      DryRun.extend({
        take: z.enum(['ours', 'theirs', 'mine', 'agent']).meta({
          description:
            'ours, or mine: the file as it is. theirs: without the change, and what rests on it. agent: as the agent left it.',
        }),
      }),
      DryRun.extend({ base64: z.base64() }),
    ]),
    answer: z.object({
      ...{ resolved: z.string(), path: z.string(), cascaded: Ids, written: Paths, deleted: Deleted, seq: SeqNumber },
    }),
  }),
  attribute: route('attribute', {
    summary: 'Say whose a change was that nobody could be named for',
    body: z.object({
      session: z.string(),
      call: z
        .string()
        .optional()
        .meta({ description: 'May be left out if only one call of the session is a candidate.' }),
    }),
    answer: z.object({ change: Change, seq: SeqNumber }),
  }),
  undo: route('undo', {
    summary: 'Take the last decision back that still stands',
    body: DryRun,
    answer: Undone,
  }),
  redo: route('redo', {
    summary: 'Do again what was last undone',
    body: DryRun,
    answer: Undone,
  }),
};
