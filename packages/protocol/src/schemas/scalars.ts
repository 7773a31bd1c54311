import { z } from 'zod';

/** ISO 8601, UTC, with milliseconds. */
export const Instant = z.iso.datetime().meta({ description: 'A moment in UTC, ISO 8601.' });
export const SeqNumber = z.number().int().min(0).meta({ description: "Position in the workspace's log." });
export const Count = z.number().int().min(0);
/**
 * Both included, 1-based. Not `z.tuple`: its JSON Schema is `prefixItems` with `items: false`, which a validator of an older
 * draft takes to mean that there may be no items at all.
 */
export const Lines = z.array(z.number().int().min(1)).length(2) as unknown as z.ZodType<
  [number, number],
  [number, number]
>;
export const Content = z.string().meta({ description: 'Git blob id of the bytes.' });
/** In query strings. */
export const QueryNumber = z.coerce.number().int().min(0);
