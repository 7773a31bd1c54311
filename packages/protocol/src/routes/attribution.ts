import { z } from 'zod';
import { Candidate } from '../schemas/change.js';
import { Count, Instant, SeqNumber } from '../schemas/scalars.js';
import { route } from './route.js';

export const LineAuthor = z
  .object({
    kind: z.enum(['agent', 'human', 'unknown']),
    session: z.string().optional(),
    agent: z.string().optional(),
    callId: z.string().optional(),
    tool: z.string().optional(),
    prompt: z.string().optional(),
    message: SeqNumber.optional().meta({
      description: 'The message that asked for the call, as `listMessages` has it.',
    }),
    model: z.string().optional().meta({ description: 'What the session ran on when it wrote the line.' }),
    candidates: z.array(Candidate).optional().meta({ description: 'The calls that may have written it.' }),
  })
  .meta({ id: 'LineAuthor' });

/** Goes to git as an argument, which ends at a NUL. */
const Range = z.string().refine((text) => !text.includes('\0'), 'no commit has such a name');

/** Null for what was there before anything was recorded. */
const Origin = { author: LineAuthor, change: z.string().nullable(), at: Instant.nullable() };

export const BlamedLine = z
  .object({ line: z.number().int().min(1), text: z.string(), ...Origin })
  .meta({ id: 'BlamedLine' });

export const Contribution = z
  .object({
    of: z.enum(['commit', 'staged', 'uncommitted']),
    commit: z.string().nullable(),
    base: z.string().nullable().meta({ description: 'The commit that it was compared with.' }),
    committedBy: z.string().nullable(),
    files: z.array(
      z.object({
        path: z.string(),
        fromPath: z.string().optional(),
        kind: z.enum(['create', 'modify', 'delete', 'rename']),
        binary: z.boolean(),
        added: Count,
        removed: Count,
        stretches: z.array(z.object({ from: Count, to: Count, ...Origin })),
        whole: z.object(Origin).nullable().meta({ description: 'Who left a file as it is that has no lines to tell.' }),
      }),
    ),
  })
  .meta({ id: 'Contribution' });
export type ContributionJson = z.infer<typeof Contribution>;
export type LineAuthorJson = z.infer<typeof LineAuthor>;
export type BlamedLineJson = z.infer<typeof BlamedLine>;

const Tally = {
  sessions: Count,
  calls: Count.meta({ description: 'Calls that changed something.' }),
  changes: Count,
  accepted: Count,
  rejected: Count,
  pending: Count,
  conflict: Count,
  added: Count,
  removed: Count,
  survived: Count.meta({ description: 'Lines of theirs that are in the files now.' }),
};
export type TallyJson = { readonly [Field in keyof typeof Tally]: number };

/** Who wrote what: lines of files, of commits, and in sum. */
export const attributionRoutes = {
  blame: route('blame', {
    summary: 'Who wrote each line of a file',
    query: z.object({ path: z.string() }),
    answer: z.object({
      lines: z.array(BlamedLine),
      path: z.string().meta({ description: 'From the top of the repository, or else of the workspace.' }),
      head: z.string().nullable().meta({ description: 'The commit that HEAD is at.' }),
      revision: z.string().nullable().meta({ description: 'The same, if the file is there as it is now.' }),
    }),
  }),
  contributions: route('contributions', {
    summary: 'Whose the lines are that commits bring, or that are staged or not committed yet',
    query: z.object({
      range: Range.optional().meta({ description: 'One commit, or `A..B`; without it what is no commit yet.' }),
    }),
    answer: z.object({ contributions: z.array(Contribution) }),
  }),
  writeNotes: route('writeNotes', {
    summary: 'Attach to commits, as git notes under refs/notes/ai, who wrote their lines (Git AI Standard 3.0.0)',
    body: z.object({ range: Range, dryRun: z.boolean().optional() }),
    answer: z.object({
      notes: z.array(
        z.object({
          commit: z.string(),
          text: z.string().nullable().meta({ description: 'Null where no agent wrote a line.' }),
          state: z.enum(['written', 'left', 'none']).meta({ description: '`left`: it has a note already.' }),
        }),
      ),
    }),
  }),
  stats: route('stats', {
    summary: 'What became of what agents did, by agent and by tool',
    answer: z.object({
      agents: z.array(z.object({ agent: z.string(), ...Tally })),
      tools: z.array(z.object({ agent: z.string(), tool: z.string(), ...Tally })),
      unread: z.array(z.string()).meta({ description: 'Files whose lines could not be counted.' }),
    }),
  }),
  listPrompts: route('listPrompts', {
    summary: 'What a session was asked, oldest first',
    answer: z.object({ prompts: z.array(z.object({ turn: z.string(), text: z.string(), at: Instant })) }),
  }),
};
