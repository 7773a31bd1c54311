import { z } from 'zod';
import { Count, Instant, SeqNumber } from './scalars.js';

export const Checkpoint = z
  .object({
    id: z.string(),
    seq: SeqNumber,
    commit: z.string(),
    session: z.string().optional(),
    reason: z.enum(['start', 'prompt', 'before-tool', 'after-tool', 'manual', 'rescue']),
    callId: z.string().optional(),
    message: z.string().optional(),
    files: Count,
    uncovered: Count,
    incomplete: z.boolean().meta({ description: 'It is not known what all files held then.' }),
    onLoan: z.literal(true).optional().meta({
      description: "Not all that it needs is ours yet: it can be restored while the user's repository is there.",
    }),
    at: Instant,
  })
  .meta({ id: 'Checkpoint' });

export type CheckpointJson = z.infer<typeof Checkpoint>;
