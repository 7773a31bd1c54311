import { z } from 'zod';
import { Change, Hunk, Status } from '../schemas/change.js';
import { QueryNumber } from '../schemas/scalars.js';
import { StaleFile } from '../schemas/stale.js';
import { route } from './route.js';

export const changeRoutes = {
  listChanges: route('listChanges', {
    summary: 'Changes, oldest first; without a status, those that wait for a verdict',
    query: z.object({
      change: z.string().optional().meta({ description: 'The id of one, or `c7` for all of operation 7.' }),
      session: z.string().optional().meta({ description: 'Its id, or how only that one begins.' }),
      call: z.string().optional().meta({ description: 'Its id, or how only that one begins.' }),
      path: z.string().optional().meta({ description: 'A file, a folder, or a pattern such as `lib/**`.' }),
      status: z.enum([...Status.options, 'all']).optional(),
      limit: QueryNumber.optional(),
    }),
    answer: z.object({ changes: z.array(Change) }),
  }),
  getChange: route('getChange', {
    summary: 'One change, its hunks with their text',
    answer: z.object({ change: Change, hunks: z.array(Hunk) }),
  }),
  getPatch: route('getPatch', { summary: 'One change as a unified diff', answer: 'bytes' }),
  getContent: route('getContent', { summary: 'The bytes of a content id', answer: 'bytes' }),
  listStale: route('listStale', {
    summary: 'What a session, or without one all that are active, have seen, and whether it is still so',
    query: z.object({ session: z.string().optional() }),
    answer: z.object({ files: z.array(StaleFile) }),
  }),
};
