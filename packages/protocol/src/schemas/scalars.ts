import { z } from 'zod';

/** ISO 8601, UTC, with milliseconds. */
export const Instant = z.iso.datetime().meta({ description: 'A moment in UTC, ISO 8601.' });
export const SeqNumber = z.number().int().min(0).meta({ description: "Position in the workspace's log." });
export const Count = z.number().int().min(0);
/** Both included, 1-based. */
export const Lines = z.tuple([z.number().int().min(1), z.number().int().min(1)]);
export const Content = z.string().meta({ description: 'Git blob id of the bytes.' });
/** In query strings. */
export const QueryNumber = z.coerce.number().int().min(0);
