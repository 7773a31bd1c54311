import { z } from 'zod';
import { Settings } from '../schemas/settings.js';
import { route } from './route.js';

const Answer = z.object({ set: Settings, effective: z.record(z.string(), z.unknown()) });

export const settingsRoutes = {
  getSettings: route('getSettings', {
    summary: 'What is set for a workspace, and what holds',
    answer: Answer,
  }),
  changeSettings: route('changeSettings', {
    summary: 'Set some, and unset others; it holds from the next request on',
    body: z.object({ set: Settings.optional(), unset: z.array(z.string()).optional() }),
    answer: Answer,
  }),
};
