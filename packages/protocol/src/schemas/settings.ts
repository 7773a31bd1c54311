import { z } from 'zod';
import { Count } from './scalars.js';

const Policy = z.enum(['deny', 'warn', 'off']);

/** What a workspace does when it has a choice. What is not set is as it comes. */
export const Settings = z
  .strictObject({
    'guard.stale': Policy.meta({ description: 'Edits of files that changed since the session saw them.' }),
    'guard.unseen': Policy.meta({ description: 'Edits of existing files that the session has not seen.' }),
    'guard.apart': z
      .enum(['deny', 'pass'])
      .meta({ description: 'Stale edits on other lines than those that changed.' }),
    scratch: z.array(z.string()).meta({ description: 'Names of scratch files, in addition to the built-in ones.' }),
    commitAccepts: z.boolean().meta({ description: 'A commit that contains a pending change accepts it.' }),
    stockWaitMs: Count.meta({
      description: 'How long a command waits, right after opening, until it is known what it may write over.',
    }),
    callLifetimeMs: Count.meta({ description: 'A call that has not ended after this long is taken to be lost.' }),
    'checkpoints.automatic': z.boolean(),
    'checkpoints.keptCount': Count,
    'checkpoints.keptAgeMs': Count,
    'checkpoints.storeBytes': Count,
  })
  .partial()
  .meta({ id: 'Settings' });
export type SettingsJson = z.infer<typeof Settings>;
export const SETTING_NAMES = Object.keys(Settings.shape) as readonly (keyof SettingsJson)[];
