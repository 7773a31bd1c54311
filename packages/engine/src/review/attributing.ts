import {
  type Author,
  type Candidate,
  failed,
  type Outcome,
  ok,
  parseCallId,
  parseChangeId,
  parseSessionId,
  type ReviewEntry,
  seqOfChange,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type { LiveLog } from '../store/live-log.js';
import type { AttributeAnswer, AttributeTo } from './verdict.js';

/**
 * Gives a change that nobody could be named for to the call that a person says made it. What was established, by
 * content or because nobody else can have been it, is not up to anybody's word. Runs inside the workspace's queue.
 */
export function attributeChange(live: LiveLog, input: string, to: AttributeTo): Outcome<AttributeAnswer, Refusal> {
  const id = parseChangeId(input);
  if (!id.ok) return id;
  const entry = live.views.review.entries.get(id.value);
  if (entry === undefined) return failed({ code: 'unknown-change', change: input });
  const candidates = candidatesOf(live, entry);
  if (candidates === null)
    return failed({
      code: 'bad-input',
      why: `it is known who made ${entry.id}; only a change with candidates is given`,
    });
  const author = authorAt(live, to, candidates);
  if (!author.ok) return author;
  const [operation] = live.append([
    {
      kind: 'attributed',
      by: 'person',
      changes: [{ id: entry.id, file: entry.file }],
      author: author.value,
      evidence: 'inferred',
      ...(entry.place === null ? {} : { place: entry.place }),
    },
  ]);
  return ok({ change: live.views.review.entries.get(entry.id)!, seq: operation!.seq });
}

/** Those it has, or had before a person gave it away; null where it never had any. */
function candidatesOf(live: LiveLog, { id, author }: ReviewEntry): readonly Candidate[] | null {
  if (author.kind === 'unknown') return author.candidates;
  const words = live.log.find({ kinds: ['attributed'], newestFirst: true });
  let given = false;
  for (const word of words) {
    if (word.kind !== 'attributed' || !word.changes.some((change) => change.id === id)) continue;
    if (word.by === 'person') given = true;
    else if (given) return word.author.kind === 'unknown' ? word.author.candidates : null;
  }
  if (!given) return null;
  const recorded = live.log.get(seqOfChange(id));
  return recorded?.kind === 'changed' && recorded.author.kind === 'unknown' ? recorded.author.candidates : null;
}

function authorAt(
  { log, views }: LiveLog,
  to: AttributeTo,
  candidates: readonly Candidate[],
): Outcome<Author, Refusal> {
  const session = parseSessionId(to.session);
  if (!session.ok) return session;
  const known = views.sessions.sessions.get(session.value);
  if (known === undefined) return failed({ code: 'unknown-session', session: to.session });
  const ofSession = candidates.filter((candidate) => candidate.session === session.value);
  if (to.call === undefined && ofSession.length !== 1) {
    const why =
      ofSession.length === 0
        ? `session ${to.session} is not among those that may have made it; if it did, name the call as well`
        : `several calls of session ${to.session} may have made it: ${ofSession.map(({ call }) => call).join(', ')}; name one`;
    return failed({ code: 'bad-input', why });
  }
  const call = to.call === undefined ? ok(ofSession[0]!.call) : parseCallId(to.call);
  if (!call.ok) return call;
  const [began] = log.find({ kinds: ['call-began'], session: session.value, call: call.value, limit: 1 });
  if (began?.kind !== 'call-began')
    return failed({ code: 'bad-input', why: `session ${to.session} has no call ${call.value}` });
  return ok({ kind: 'agent', session: session.value, agent: known.agent, call: call.value, tool: began.tool });
}
