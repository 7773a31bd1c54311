import { z } from 'zod';

const LISTED_LIMIT = 1_000;

/** How many a list may have. How many are enough when nobody says, each tool knows for itself. */
export function limitInput(listed: number) {
  return z
    .int()
    .min(1)
    .max(LISTED_LIMIT)
    .optional()
    .meta({ description: `${listed} unless said.` });
}

/** For programs: that the limit left something out. */
export const OlderOutput = z.boolean().meta({ description: 'There are older ones that are not listed.' });

/** The same for the model, which must be told how to get at them. */
export const OLDER_LINE = '(there are older ones; `limit` shows more)';
