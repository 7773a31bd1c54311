import { z } from 'zod';

export const REPLACE_ROUTE = '/v1/workspaces/:workspace/replace';

/** Base64, because a file that is edited may hold bytes that are no text. */
export const ReplaceBody = z.strictObject({
  path: z.string(),
  expected: z.string().nullable(),
  next: z.base64(),
});
