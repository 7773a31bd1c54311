import { z } from 'zod';
import { Hunk, Version } from '../schemas/change.js';
import { Checkpoint } from '../schemas/checkpoint.js';
import { Count, SeqNumber } from '../schemas/scalars.js';
import { route } from './route.js';

const Paths = z.array(z.string());
const Mode = z.enum(['files', 'conversation', 'both']);
const Restore = z.object({
  paths: z.array(z.string().min(1)).optional(),
  mode: Mode.optional(),
  keepMine: z.boolean().optional(),
  path: z
    .string()
    .optional()
    .meta({ description: 'Like PATH: where agents that fork their conversations themselves are looked for first.' }),
});
const Named = z.array(z.object({ path: z.string(), reason: z.string() }));

const Conversation = z
  .object({
    session: z.string(),
    messages: Count.meta({ description: 'Messages that were said since.' }),
    agent: z.string().optional().meta({ description: 'The agent that keeps it: it is forked, and stays as it is.' }),
  })
  .meta({ id: 'ConversationPlan' });
const Fork = z
  .object({
    session: z.string().meta({ description: 'Goes on from the moment of the checkpoint.' }),
    resume: z.string().meta({ description: 'The command that takes it up.' }),
    back: z.string().meta({ description: 'The command that takes up the old one, which stays as it was.' }),
  })
  .meta({ id: 'ConversationFork' });

export const CheckpointDifference = z
  .object({
    path: z.string(),
    fromPath: z.string().optional(),
    kind: z.enum(['create', 'modify', 'delete', 'rename']),
    before: Version.nullable(),
    after: Version.nullable(),
    binary: z.boolean().optional(),
    added: Count.optional().meta({ description: 'Measured only when the difference is asked for by path.' }),
    removed: Count.optional(),
    hunks: z.array(Hunk.pick({ oldStart: true, oldLines: true, newStart: true, newLines: true })).optional(),
  })
  .meta({ id: 'CheckpointDifference' });
export type CheckpointDifferenceJson = z.infer<typeof CheckpointDifference>;

export const checkpointRoutes = {
  saveCheckpoint: route('saveCheckpoint', {
    summary: 'Save the whole covered tree as it is now',
    body: z.object({ message: z.string().optional(), session: z.string().optional() }),
    answer: z.object({ checkpoint: Checkpoint }),
  }),
  listCheckpoints: route('listCheckpoints', {
    summary: 'Checkpoints, oldest first',
    query: z.object({ session: z.string().optional() }),
    answer: z.object({ checkpoints: z.array(Checkpoint) }),
  }),
  diffCheckpoints: route('diffCheckpoints', {
    summary: 'What differs between a checkpoint and another, or now; the bytes are fetched by content id',
    query: z.object({ to: z.string().optional(), path: z.string().optional() }),
    answer: z.object({ from: z.string(), to: z.string(), files: z.array(CheckpointDifference) }),
  }),
  deleteCheckpoint: route('deleteCheckpoint', {
    summary: 'Let go of a checkpoint',
    answer: z.object({ checkpoint: Checkpoint }),
  }),
  pinCheckpoint: route('pinCheckpoint', {
    summary: 'Keep a checkpoint whatever its age, or stop doing so',
    body: z.object({ pinned: z.boolean() }),
    answer: z.object({ checkpoint: Checkpoint }),
  }),
  planRestore: route('planRestore', {
    summary: 'What a restore would do; nothing is touched',
    body: Restore,
    answer: z.object({
      token: z.string(),
      checkpoint: z.string(),
      mode: Mode,
      writes: Paths,
      deletes: Paths,
      yours: Paths,
      uncovered: Named,
      incomplete: z.boolean().meta({ description: 'It is not known what all files held then.' }),
      left: Named,
      conflicts: Named,
      conversation: Conversation.optional(),
    }),
  }),
  restoreCheckpoint: route('restoreCheckpoint', {
    summary: 'Restore; with the token of a plan exactly that plan, or a refusal when the world has moved',
    body: Restore.extend({ token: z.string().optional() }),
    answer: z.object({
      checkpoint: z.string(),
      rescue: z.string().nullable(),
      written: Paths,
      deleted: Paths,
      conflicts: Named,
      uncovered: Named,
      incomplete: z.boolean().meta({ description: 'It is not known what all files held then.' }),
      left: Named,
      movedOn: Paths,
      conversation: Conversation.optional(),
      fork: Fork.optional(),
      seq: SeqNumber,
    }),
  }),
  collectGarbage: route('collectGarbage', {
    summary: 'Let go of what has served its time and remove what nothing needs',
    body: z.object({ dryRun: z.boolean().optional() }),
    answer: z.object({
      checkpoints: z.array(z.string()),
      objects: Count,
      bytes: Count,
      left: Count,
      held: z.boolean().meta({ description: 'Everything was kept: a damaged log is set aside that may need it.' }),
    }),
  }),
};
