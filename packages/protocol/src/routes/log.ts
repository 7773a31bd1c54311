import { z } from 'zod';
import { OperationSchema } from '../schemas/operation.js';
import { QueryNumber, SeqNumber } from '../schemas/scalars.js';
import { route } from './route.js';

export const OPERATIONS_DEFAULT = 1_000;
export const OPERATIONS_LIMIT = 10_000;

export const logRoutes = {
  listOperations: route('listOperations', {
    summary: 'Operations after `since`, oldest first',
    query: z.object({
      since: QueryNumber.optional(),
      limit: QueryNumber.max(OPERATIONS_LIMIT)
        .optional()
        .meta({ description: `${OPERATIONS_DEFAULT} unless said.` }),
    }),
    answer: z.object({ operations: z.array(OperationSchema), seq: SeqNumber }),
  }),
  events: route('events', {
    summary: 'Operations as they happen (server-sent events, `id` is the seq); Last-Event-ID or `since` replays',
    query: z.object({ since: QueryNumber.optional() }),
    answer: 'events',
  }),
};
