import { z } from 'zod';
import { Instant } from './scalars.js';

const Version = z.object({ content: z.string(), mode: z.string() }).nullable();

export const FlowConflict = z
  .object({
    id: z.string(),
    session: z.string(),
    path: z.string(),
    reason: z.string(),
    base: Version,
    ours: Version.meta({ description: 'In the workspace.' }),
    theirs: Version.meta({ description: 'In the worktree.' }),
  })
  .meta({ id: 'FlowConflict', description: 'A file that could not be merged between a worktree and the workspace.' });

export const WorktreeShape = z
  .object({
    session: z.string(),
    path: z.string(),
    mode: z.enum(['auto', 'review']),
    portBase: z.number(),
    base: z.string().meta({ description: 'The checkpoint that it was made from.' }),
    madeAt: Instant,
    pending: z.array(z.string()).meta({ description: 'Changes in it that wait for a verdict.' }),
    unwatched: z.array(z.string()).meta({
      description: 'Changes that were found after nobody had watched: they flow when a person says so.',
    }),
    conflicts: z.array(FlowConflict),
    apart: z
      .array(z.object({ path: z.string(), ignored: z.boolean() }))
      .meta({ description: 'Files that are not the same on both sides; ignored ones never flow.' }),
  })
  .meta({ id: 'Worktree' });

export type FlowConflictJson = z.infer<typeof FlowConflict>;
export type WorktreeJson = z.infer<typeof WorktreeShape>;
