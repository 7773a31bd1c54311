import type { ChangeJson } from '@palimpsest/protocol';
import { authorText, linesText, paintOfStatus, pathsText } from './changes.js';
import { diffText } from './diff.js';
import { type Fact, factLines } from './facts.js';
import { withinWidth } from './folded.js';
import { harmless } from './harmless.js';
import type { Style } from './style.js';
import { ago } from './time.js';

const TOO_LARGE = 'too large to keep: it can be seen but not taken back';
const GONE = 'what it wrote is not kept any more: it was forgotten, or has served its time';
const UNREAD = 'incomplete: what was there before was gone before it could be read, and cannot be brought back';

/** Who, when and why above; the diff below. */
export function changeText(change: ChangeJson, patch: string | null, style: Style): string {
  const { paint, now } = style;
  const { session, callId, comment } = change;
  const facts: readonly Fact[] = [
    ['by', `${authorText(change)}  (evidence: ${change.evidence})`],
    ['session', session === null ? undefined : harmless(session)],
    ['call', callId === null ? undefined : harmless(callId)],
    ...(change.candidates ?? []).map(
      (one): Fact => [
        'maybe',
        `${harmless(one.agent ?? 'agent')}, session ${harmless(one.session)}, call ${harmless(one.callId)}`,
      ],
    ),
    ['', change.candidates && paint.quiet(`\`pal attribute ${change.id} SESSION[:CALL]\` says whose it is`)],
    ['when', `${ago(change.at, now)}  (${change.at}, seq ${change.seq})`],
    ['comment', comment && harmless(comment)],
    ['note', noteOn(change, patch)],
  ];
  const title = `${paint.name(change.id)} ${change.kind} ${paint.strong(pathsText(change))} ${linesText(change)} ${paintOfStatus(change.status, paint)(change.status)}`;
  const head = [withinWidth(title, style.width), ...factLines(facts, 8, style)].join('\n');
  return patch === null ? `${head}\n` : `${head}\n\n${diffText(withHunkIds(patch, change.hunks), paint)}`;
}

/** What follows the second `@@` is free in a patch: there stand the ids of its hunks, several where they are near. */
function withHunkIds(patch: string, hunks: ChangeJson['hunks']): string {
  return patch.replace(/^@@ -(\d+)(?:,(\d+))? .*? @@/gm, (header: string, start: string, count = '1') => {
    const last = Number(start) + Number(count);
    const inside = hunks.filter(({ oldStart }) => oldStart >= Number(start) - 1 && oldStart <= last);
    return [header, inside.map(hunkText).join(', ')].join(' ').trimEnd();
  });
}

function hunkText({ id, status, stale }: ChangeJson['hunks'][number]): string {
  const note = status === 'pending' ? (stale ? 'written over since' : '') : status;
  return note === '' ? id : `${id} (${note})`;
}

function noteOn({ reversible, incomplete }: ChangeJson, patch: string | null): string | undefined {
  if (reversible) return patch === null ? GONE : undefined;
  return incomplete ? UNREAD : TOO_LARGE;
}
