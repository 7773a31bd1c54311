import { z } from 'zod';
import { Instant, SeqNumber } from './scalars.js';

export const HistoryName = z
  .enum(['model', 'human'])
  .meta({ description: 'What the model gets, or what the human sees.' });
export const MessageForm = z
  .enum(['blocks', 'anthropic', 'openai', 'ai-sdk', 'roo-ui'])
  .meta({ description: 'How the JSON of the message is written.' });
const Role = z.enum(['system', 'user', 'assistant']);

const Source = z.union([
  z.object({
    kind: z.literal('transcript'),
    agent: z.string(),
    message: z.string().meta({ description: 'The agent’s own id of it.' }),
    transcript: z.string().optional(),
    offset: z.number().optional(),
  }),
  z.object({ kind: z.literal('task'), file: z.string(), index: z.number().int() }),
]);
const Usage = z.object({ input: z.number(), output: z.number() });

/** One block of a message; the fields besides `type` follow from it. */
export const MessageBlock = z
  .looseObject({ type: z.enum(['text', 'reasoning', 'tool-call', 'tool-result', 'attachment']) })
  .meta({ id: 'MessageBlock' });

export const Message = z
  .object({
    id: SeqNumber,
    at: Instant.meta({ description: 'When it was said, as far as that is known.' }),
    session: z.string(),
    history: HistoryName,
    role: Role,
    form: MessageForm,
    json: z.string().nullable().meta({ description: 'Exactly as it was given; null once it was forgotten.' }),
    blocks: z.array(MessageBlock).meta({ description: 'The same in the one form that all agents share.' }),
    calls: z.array(z.string()),
    beside: SeqNumber.optional().meta({ description: 'The message of the other history that it stands beside.' }),
    source: Source.optional(),
    turn: z.string().optional(),
    summary: z.boolean().optional(),
    usage: Usage.optional(),
  })
  .meta({ id: 'Message' });

export const NewMessage = z
  .strictObject({
    history: HistoryName,
    form: MessageForm,
    json: z.string().optional().meta({ description: 'The message as JSON text, kept as it is; or else `value`.' }),
    value: z.unknown().optional(),
    calls: z.array(z.string()).optional(),
    beside: z
      .union([SeqNumber, z.object({ nth: z.number().int().min(0) })])
      .optional()
      .meta({ description: 'By id, or as the nth of those that are added together.' }),
    source: Source.optional(),
    turn: z.string().optional(),
    saidAt: z.number().optional().meta({ description: 'Milliseconds since the epoch.' }),
    summary: z.boolean().optional(),
    usage: Usage.optional(),
  })
  .meta({ id: 'NewMessage' });

export const SearchHit = z
  .object({
    id: SeqNumber,
    at: Instant,
    session: z.string(),
    what: z.enum(['prompt', 'message', 'call']),
    role: Role,
    excerpt: z.string(),
    calls: z.array(z.string()),
    abandoned: z.boolean().meta({ description: 'In a branch of the conversation that was left.' }),
  })
  .meta({ id: 'SearchHit' });

/** One thing that happened in a session; the fields besides these follow from the kind. */
export const TimelineEntry = z
  .looseObject({
    seq: SeqNumber,
    at: Instant,
    kind: z.enum(['prompt', 'message', 'call', 'checkpoint', 'restored']),
  })
  .meta({ id: 'TimelineEntry' });

export type MessageJson = z.infer<typeof Message>;
export type SearchHitJson = z.infer<typeof SearchHit>;
export type TimelineEntryJson = z.infer<typeof TimelineEntry>;
