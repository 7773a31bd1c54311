import { z } from 'zod';
import { HistoryName, Message, MessageBlock, NewMessage, SearchHit, TimelineEntry } from '../schemas/message.js';
import { Count, QueryNumber, SeqNumber } from '../schemas/scalars.js';
import { route } from './route.js';

export const MESSAGES_DEFAULT = 200;
export const MESSAGES_LIMIT = 2_000;
export const HITS_LIMIT = 200;
/** In query strings. */
const Yes = z.enum(['true', 'false']).transform((text) => text === 'true');

/** What was said in sessions. */
export const conversationRoutes = {
  listMessages: route('listMessages', {
    summary: 'What was said in a session, oldest first',
    query: z.object({
      history: HistoryName.optional(),
      branch: QueryNumber.optional().meta({ description: 'One that was left; without it, the present one.' }),
      after: QueryNumber.optional().meta({ description: 'Only messages after this one.' }),
      upTo: QueryNumber.optional(),
      limit: QueryNumber.min(1)
        .max(MESSAGES_LIMIT)
        .optional()
        .meta({ description: `${MESSAGES_DEFAULT} unless said.` }),
      newest: Yes.optional().meta({ description: 'The last so many instead of the first.' }),
    }),
    answer: z.object({
      messages: z.array(Message),
      more: z.boolean().meta({ description: 'There are others; go on with `after`, or with `upTo` before the first.' }),
    }),
  }),
  addMessages: route('addMessages', {
    summary: 'Take messages up, all or none; they are on disk when this answers',
    body: z.strictObject({ agent: z.string().optional(), messages: z.array(NewMessage).min(1) }),
    answer: z.object({ messages: z.array(Message) }),
  }),
  listBranches: route('listBranches', {
    summary: 'Parts of a conversation that were left when it was taken back',
    answer: z.object({
      branches: z.array(z.object({ branch: Count, messages: Count, first: SeqNumber, last: SeqNumber })),
    }),
  }),
  getTimeline: route('getTimeline', {
    summary: 'What happened in a session: prompts, answers, calls, checkpoints',
    answer: z.object({ entries: z.array(TimelineEntry) }),
  }),
  search: route('search', {
    summary: 'Prompts, messages and calls that have all of the words, best first',
    query: z.object({
      text: z.string(),
      session: z.string().optional(),
      limit: QueryNumber.min(1).max(HITS_LIMIT).optional(),
    }),
    answer: z.object({ hits: z.array(SearchHit) }),
  }),
  getHistory: route('getHistory', {
    summary: 'What the model gets next, valid for every provider, and what is left out of it',
    query: z.object({
      form: z.enum(['anthropic', 'openai']).optional().meta({ description: 'Also as that provider takes it.' }),
    }),
    answer: z.object({
      system: z.array(z.string()),
      messages: z.array(
        z.object({
          from: z.array(SeqNumber),
          role: z.enum(['system', 'user', 'assistant']),
          blocks: z.array(MessageBlock),
        }),
      ),
      tokens: Count,
      measured: Count.meta({ description: 'How many answers of the provider the count of tokens rests on.' }),
      reductions: z.array(z.looseObject({ type: z.string() })),
      request: z.unknown().optional(),
    }),
  }),
  reduceHistory: route('reduceHistory', {
    summary: 'Leave out as little as it takes to come to so many tokens; nothing is removed',
    body: z.strictObject({ budget: z.number().int().min(0) }),
    answer: z.object({ fits: z.boolean(), before: Count, after: Count }),
  }),
  expandHistory: route('expandHistory', {
    summary: 'Bring back what was left out: all, or what was since an operation',
    body: z.strictObject({ since: SeqNumber.optional() }),
    answer: z.object({ tokens: Count }),
  }),
};
