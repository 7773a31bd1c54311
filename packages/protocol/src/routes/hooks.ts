import { z } from 'zod';
import { route } from './route.js';

const HookBody = z
  .object({
    directory: z.string().meta({ description: 'Where the agent works.' }),
    payload: z.unknown().meta({ description: 'What the agent gave its hook.' }),
  })
  .meta({ id: 'Hook' });

const HookAnswer = z
  .object({
    deny: z.string().optional().meta({ description: 'The call must not run, and why.' }),
    context: z.string().optional().meta({ description: 'What the model should hear.' }),
  })
  .meta({ id: 'HookReply' });

const HttpHookBody = z
  .record(z.string(), z.unknown())
  .meta({ id: 'HttpHook', description: 'What it gives its hooks.' });

const HttpHookAnswer = z
  .record(z.string(), z.unknown())
  .meta({ id: 'HttpHookReply', description: 'What it takes from a hook; empty when there is nothing to say.' });

export const hookRoutes = {
  takeHook: route('takeHook', {
    summary: 'Something happened in an agent, as one of its hooks tells it',
    body: HookBody,
    answer: HookAnswer,
  }),
  takeHttpHook: route('takeHttpHook', {
    summary: 'The same from Claude Code itself, asked and answered in its own words; it has a token of its own',
    body: HttpHookBody,
    answer: HttpHookAnswer,
  }),
};
