import { z } from 'zod';
import { Instant } from './scalars.js';

export const OpenFile = z
  .object({
    path: z.string(),
    pinned: z.boolean(),
    openedAt: Instant,
    lastViewedAt: Instant.meta({ description: 'When it was last read, written, mentioned or opened.' }),
    by: z
      .enum(['command', 'read', 'mention', 'write', 'search'])
      .meta({ description: 'What that was. What a search named comes last, and takes nobody’s place.' }),
    sessions: z
      .array(z.string())
      .meta({ description: 'Whose it is; none of one that is open for every session alone.' }),
    missing: z.boolean().meta({ description: 'There is no such file now.' }),
  })
  .meta({ id: 'OpenFile' });
export type OpenFileJson = z.infer<typeof OpenFile>;
