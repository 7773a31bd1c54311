import { type ContentId, carried, type Seen, type Sight, sightIn, withUnrelated } from '@palimpsest/core';
import type { ContentStore } from '../content/content.js';
import { measure } from '../store/measure.js';

/**
 * What a session has seen of the text that is there now. The log follows what was seen through each change as it comes;
 * where it could not, or a change stands in no log yet, the two texts are compared here.
 */
export async function presentSight(seen: Seen, present: ContentId, content: Pick<ContentStore, 'get'>): Promise<Sight> {
  const known = sightIn(seen, present);
  if (known !== null) return known;
  const version = (id: ContentId) => ({ content: id, mode: '100644', size: 0 }) as const;
  const { spans } = await measure(content, version(seen.now.content), version(present));
  return carried(seen.now, spans, present) ?? withUnrelated(seen.now, present, []);
}
