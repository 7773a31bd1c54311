import { z } from 'zod';
import { Content, Instant, Lines } from './scalars.js';

export const FreshnessState = z.enum(['fresh', 'stale', 'missing', 'never-seen', 'unverifiable']);

export const StaleFile = z
  .object({
    session: z.string(),
    path: z.string(),
    state: FreshnessState,
    seen: z.object({
      content: Content,
      at: Instant,
      lines: z.array(Lines).optional().meta({ description: 'What was shown of it; all of it when absent.' }),
    }),
    now: z
      .object({
        content: Content,
        lines: z.array(Lines).optional().meta({
          description: 'The lines of it that the session has seen as they are; all of them when absent.',
        }),
      })
      .nullable(),
    visible: z.boolean(),
  })
  .meta({ id: 'StaleFile' });

export type StaleJson = z.infer<typeof StaleFile>;
