import { basename, dirname } from 'node:path';
import { type Payload, textAt } from './payload.js';

/**
 * Where Claude Code was started, which its requests do not say. Its shell may have gone into another repository since; but
 * the transcript lies in a folder that is named after where it began. Undefined when the payload says nothing of either.
 */
export function claudeProject(payload: Payload): string | undefined {
  const cwd = textAt(payload, 'cwd');
  const transcript = textAt(payload, 'transcript_path');
  if (cwd === undefined || transcript === undefined) return cwd;
  const name = basename(dirname(transcript));
  for (let place = cwd; ; place = dirname(place)) {
    if (place.replace(/[^A-Za-z0-9]/g, '-') === name) return place;
    if (place === dirname(place)) return cwd;
  }
}
