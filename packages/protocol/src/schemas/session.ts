import { z } from 'zod';
import { Count, Instant } from './scalars.js';

const Worktree = z.object({
  path: z.string(),
  mode: z.enum(['auto', 'review']),
  portBase: z.number().optional().meta({ description: 'The first of twenty ports for what runs in it.' }),
});

export const Session = z
  .object({
    id: z.string(),
    agent: z.string(),
    state: z.enum(['active', 'ended']),
    title: z.string(),
    startedAt: Instant,
    endedAt: Instant.optional(),
    worktree: Worktree.optional(),
    turn: z.string().optional(),
    parent: z.string().optional().meta({ description: 'The session that it runs within.' }),
    model: z.string().optional().meta({ description: 'What it runs on, as the agent names it.' }),
    pending: Count.meta({ description: 'Changes that wait for a verdict.' }),
  })
  .meta({ id: 'Session' });

export const Notice = z
  .object({
    kind: z.string().meta({ description: 'changed-outside, conflict, rejected, radar, guard, …' }),
    path: z.string().optional(),
    text: z.string(),
  })
  .meta({ id: 'Notice' });

export type SessionJson = z.infer<typeof Session>;
export type NoticeJson = z.infer<typeof Notice>;
