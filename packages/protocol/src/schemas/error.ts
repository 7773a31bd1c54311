import { z } from 'zod';

export const ErrorDocument = z
  .object({
    error: z.looseObject({
      code: z.string(),
      message: z.string().meta({ description: 'For a person.' }),
      hint: z.string().optional().meta({ description: 'What to do about it.' }),
    }),
  })
  .meta({ id: 'Error' });
