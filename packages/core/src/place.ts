import type { Seq } from './ids.js';
import { failed, type Outcome, ok } from './outcome.js';

declare const placeBrand: unique symbol;

/**
 * A folder in which the files of the workspace are a second time, such as a session's worktree: `w<seq>`, after the
 * operation that made it. Paths are the same in all of them. The workspace's own folder has no id; it is null, or absent.
 */
export type PlaceId = string & { readonly [placeBrand]: 'place' };

export const placeId = (seq: Seq) => `w${seq}` as PlaceId;

export function parsePlaceId(
  input: string,
): Outcome<PlaceId, { readonly code: 'bad-id'; readonly what: string; readonly input: string }> {
  return /^w[1-9]\d*$/.test(input) ? ok(input as PlaceId) : failed({ code: 'bad-id', what: 'place', input });
}
