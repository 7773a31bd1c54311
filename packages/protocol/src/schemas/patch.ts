import { z } from 'zod';
import { Status } from './change.js';
import { Count, Instant } from './scalars.js';

export const Patch = z
  .object({
    number: Count.meta({
      description: 'Its place in the list, the latest being 1; 0 of one that was asked for by its id.',
    }),
    id: z.string().meta({ description: 'The id of the change.' }),
    path: z.string(),
    fromPath: z.string().optional(),
    at: Instant,
    tool: z.string(),
    session: z.string(),
    agent: z.string(),
    callId: z.string(),
    kind: z.enum(['create', 'modify', 'delete', 'rename']),
    added: Count,
    removed: Count,
    status: Status,
    summary: z.string(),
  })
  .meta({ id: 'Patch' });

export const ShownPatch = Patch.extend({
  diff: z.string().meta({ description: 'A unified diff; empty where the bytes are not kept any more.' }),
  cut: z.boolean().meta({ description: 'The diff is longer than what is shown of it.' }),
}).meta({ id: 'ShownPatch' });

export type PatchJson = z.infer<typeof Patch>;
export type ShownPatchJson = z.infer<typeof ShownPatch>;
