import { type SessionId, spokenPath } from '@palimpsest/core';
import type { Notice } from '../call/notices.js';
import type { Overlap } from './radar.js';

/** What a session should hear of where its work will meet another's. */
export function radarNotices(session: SessionId, overlaps: readonly Overlap[]): readonly Notice[] {
  return overlaps.map(({ path, sessions, lines }) => {
    const others = sessions.filter((other) => other !== session).join(', ');
    const where = lines.map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
    return {
      kind: 'radar',
      path,
      text: `Session ${others} is changing the same lines of ${spokenPath(path)} as you (${where}, as they were at first).`,
    };
  });
}
