import { z } from 'zod';
import { Count, Instant, SeqNumber } from './scalars.js';
import { Session } from './session.js';
import { FreshnessState } from './stale.js';

export const Daemon = z.object({ pid: z.number().int(), version: z.string() });

export const Health = z
  .object({
    status: z.enum(['ok', 'stopping']),
    pid: z.number().int(),
    version: z.string(),
    protocol: z.number().int(),
    startedAt: Instant,
  })
  .meta({ id: 'Health' });

export const WorkspaceSummary = z
  .object({ id: z.string(), root: z.string(), open: z.boolean() })
  .meta({ id: 'Workspace' });

export const WorkspaceFacts = WorkspaceSummary.extend({
  there: z.boolean().meta({ description: 'Whether its folder is there.' }),
  bytes: Count.meta({ description: 'What we keep of it on the disk.' }),
  usedAt: Instant.nullable().meta({ description: 'When anything was last recorded.' }),
  waiting: z
    .object({ changes: Count, conflicts: Count })
    .nullable()
    .meta({ description: 'What waits for a verdict; null where that is not known without opening it.' }),
}).meta({ id: 'WorkspaceFacts' });
export type WorkspaceFactsJson = z.infer<typeof WorkspaceFacts>;

const CallName = z.object({ session: z.string(), callId: z.string(), tool: z.string() });

export const WorkspaceStatus = z
  .object({
    workspace: z.object({ id: z.string(), root: z.string(), git: z.boolean(), head: z.string().nullable() }),
    daemon: Daemon,
    seq: SeqNumber,
    sessions: z.array(Session),
    pending: z.object({ changes: Count, hunks: Count, files: Count }),
    conflicts: Count,
    radar: z
      .array(
        z.object({
          path: z.string(),
          sessions: z.array(z.string()),
          lines: z.array(z.object({ from: Count, to: Count })),
        }),
      )
      .default([])
      .meta({ description: 'Lines that two sessions in worktrees have changed, and that will meet.' }),
    stale: z.array(z.object({ session: z.string(), path: z.string(), state: FreshnessState })),
    coverage: z.object({
      files: Count,
      unread: Count.meta({ description: 'How many of them are known by name only as yet.' }),
      uncovered: z.array(z.object({ path: z.string(), reason: z.string() })),
      beyond: Count.meta({ description: 'How many more are not covered than are listed.' }),
    }),
    store: z.object({
      bytes: Count,
      checkpoints: Count,
      onLoan: z
        .boolean()
        .default(false)
        .meta({ description: "Whether contents are still read from the user's repository." }),
    }),
    watching: z.enum(['events', 'scanning']),
    takingStock: z.boolean(),
    incomplete: z.boolean().meta({ description: 'What some files hold, or which there are, is not known yet.' }),
    openCalls: z.array(CallName),
    lingering: z
      .array(CallName)
      .default([])
      .meta({ description: 'Calls that have ended and left something running that may still write.' }),
    remarks: z.array(z.string()),
  })
  .meta({ id: 'Status' });

export type StatusAnswer = z.infer<typeof WorkspaceStatus>;
