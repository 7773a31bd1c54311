import { z } from 'zod';
import { Count, Lines } from './scalars.js';

const Kind = z.enum(['notices', 'open-file', 'patch-summary', 'patch', 'git-summary', 'git-diff', 'found']);

export const ContextBlock = z
  .object({
    kind: Kind,
    reason: z.string().meta({ description: 'Why it is in.' }),
    tokens: Count,
    path: z.string().optional(),
    lines: z.array(Lines).optional().meta({ description: 'The lines of the file that are in it.' }),
    change: z.string().optional().meta({ description: 'The change that it is the diff of.' }),
    text: z.string(),
  })
  .meta({ id: 'ContextBlock' });

export const Context = z
  .object({
    session: z
      .string()
      .nullable()
      .meta({ description: 'For which it was made: what its model has seen is not repeated.' }),
    blocks: z.array(ContextBlock),
    tokens: Count,
    budget: Count,
    left: Count,
    omitted: z
      .array(z.object({ kind: Kind, path: z.string().optional(), why: z.string() }))
      .meta({ description: 'What would have been in, and is not.' }),
    incomplete: z.boolean().meta({ description: 'Not all files could be searched in time; ask again for more.' }),
  })
  .meta({ id: 'Context' });

export type ContextJson = z.infer<typeof Context>;
