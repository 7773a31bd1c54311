import { z } from 'zod';
import { Content, Count, Instant, Lines, SeqNumber } from './scalars.js';

export const Status = z.enum(['pending', 'accepted', 'rejected', 'conflict']);

export const Version = z.object({ content: Content, mode: z.enum(['100644', '100755', '120000']), size: Count });

export const Hunk = z
  .object({
    id: z.string(),
    oldStart: Count,
    oldLines: Count,
    newStart: Count,
    newLines: Count,
    status: Status,
    stale: z.boolean().optional(),
    now: z.array(Lines).optional().meta({ description: 'Where its lines are now, after what came later.' }),
    text: z.string().optional().meta({ description: 'Removed and added lines, as in a unified diff without context.' }),
  })
  .meta({ id: 'Hunk' });

const AuthorOfChange = z.object({
  kind: z.enum(['agent', 'human', 'unknown']),
  session: z.string().optional(),
  agent: z.string().optional(),
  callId: z.string().optional(),
  tool: z.string().optional(),
});

export const Candidate = z.object({ session: z.string(), callId: z.string(), agent: z.string().optional() });

export const Change = z
  .object({
    id: z.string(),
    seq: SeqNumber,
    session: z.string().nullable(),
    agent: z.string().nullable(),
    agentId: z.string().optional(),
    turn: z.string().optional(),
    messageIndex: z.number().int().optional(),
    callId: z.string().nullable(),
    tool: z.string().nullable(),
    path: z.string(),
    fromPath: z.string().optional(),
    movedTo: z.string().optional().meta({ description: 'Where the file is now, if it was renamed later.' }),
    kind: z.enum(['create', 'modify', 'delete', 'rename']),
    before: Version.nullable(),
    after: Version.nullable(),
    binary: z.boolean(),
    reversible: z.boolean(),
    incomplete: z.boolean().meta({ description: 'What the file held before was gone before it could be read.' }),
    evidence: z.enum(['exact', 'window', 'inferred', 'unknown']),
    author: AuthorOfChange,
    candidates: z.array(Candidate).optional(),
    cause: z.string().optional(),
    status: Status,
    comment: z.string().optional(),
    conflict: z
      .object({ base: Content.nullable(), ours: Content.nullable(), theirs: Content.nullable(), reason: z.string() })
      .optional(),
    added: Count,
    removed: Count,
    hunks: z.array(Hunk),
    at: Instant,
  })
  .meta({ id: 'Change' });

export type VersionJson = z.infer<typeof Version>;
export type HunkJson = z.infer<typeof Hunk>;
export type ChangeJson = z.infer<typeof Change>;
