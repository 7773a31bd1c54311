import { z } from 'zod';
import { Instant, SeqNumber } from './scalars.js';

/** Kinds are only ever added, so a reader takes what it knows and passes over the rest. */
export const OperationSchema = z
  .looseObject({ seq: SeqNumber, at: Instant, kind: z.string() })
  .meta({ id: 'Operation', description: 'One entry of the log. The fields besides these follow from the kind.' });
