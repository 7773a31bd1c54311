import { z } from 'zod';
import { Change } from './change.js';
import { Content, Lines, SeqNumber } from './scalars.js';
import { Notice } from './session.js';

/** Agents send more than we know; what we do not know is passed over. */
export const BeginBody = z
  .object({
    session: z.string(),
    callId: z.string(),
    tool: z.string(),
    input: z.unknown().optional(),
    cwd: z.string().optional(),
    agent: z.string().optional(),
    agentId: z.string().optional(),
    turn: z.string().optional(),
    messageIndex: z.number().int().optional(),
    parent: z.string().optional().meta({ description: 'The session that this one runs within.' }),
    observe: z.boolean().optional().meta({ description: 'The news may come late, so the call is never denied.' }),
  })
  .meta({ id: 'BeginCall' });

export const BeginAnswer = z
  .object({ decision: z.enum(['allow', 'warn', 'deny']), reason: z.string().optional(), notices: z.array(Notice) })
  .meta({ id: 'CallDecision' });

/** Base64, because a file that is edited may hold bytes that are no text. */
export const ReplaceBody = z
  .object({
    path: z.string(),
    expected: Content.nullable().meta({ description: 'What the file holds now; null for no file.' }),
    base64: z.base64().meta({ description: 'What it shall hold.' }),
  })
  .meta({ id: 'ReplaceFile' });

export const ReplaceAnswer = z.object({ written: z.array(z.string()) }).meta({ id: 'ReplacedFile' });

export const EndBody = z
  .object({
    session: z.string(),
    callId: z.string(),
    ok: z.boolean().optional(),
    output: z.string().optional(),
    shown: Lines.optional().meta({
      description:
        'The lines that a read of one file put in front of the model, if fewer than it asked for: tools cut long files.',
    }),
    // What the end knows of the call, in case its beginning was never told.
    tool: z.string().optional(),
    input: z.unknown().optional(),
    cwd: z.string().optional(),
    agent: z.string().optional(),
    agentId: z.string().optional(),
    parent: z.string().optional(),
  })
  .meta({ id: 'EndCall' });

export const EndAnswer = z
  .object({
    changes: z.array(Change),
    perhaps: z.array(Change).meta({ description: 'Changes that the call may have made, and others as well.' }),
    notices: z.array(Notice),
    known: z.boolean().meta({ description: 'False when no such call had begun.' }),
  })
  .meta({ id: 'CallChanges' });

const shown = { session: z.string(), path: z.string(), lines: Lines.optional(), cwd: z.string().optional() };

export const NoteBody = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('read'), ...shown }),
    z.object({ kind: z.literal('mention'), ...shown }),
    z.object({
      kind: z.literal('prompt'),
      session: z.string(),
      text: z.string(),
      turn: z.string().optional(),
      cwd: z.string().optional(),
    }),
    z.object({ kind: z.literal('cut'), session: z.string() }),
    z.object({ kind: z.literal('quiet'), session: z.string() }),
    z.object({ kind: z.literal('saved'), path: z.string() }),
  ])
  .meta({ id: 'Note' });

export const NoteAnswer = z.object({ notices: z.array(Notice), seq: SeqNumber }).meta({ id: 'Noted' });

export type BeginJson = z.infer<typeof BeginBody>;
export type BeginAnswerJson = z.infer<typeof BeginAnswer>;
export type EndJson = z.infer<typeof EndBody>;
export type EndAnswerJson = z.infer<typeof EndAnswer>;
export type NoteJson = z.infer<typeof NoteBody>;
export type NoteAnswerJson = z.infer<typeof NoteAnswer>;
