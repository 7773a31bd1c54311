import { type ForeignQuestion, readForeign } from '@palimpsest/engine';
import { payloadOf } from '../../agents/payload.js';
import type { MessageRow } from '../../agents/transcript.js';

export type SessionRows = {
  /** Messages after `since` that will not change any more, in opencode's order; not all at once. */
  readonly rows: readonly MessageRow[];
  /** How many messages the session has. */
  readonly count: number;
  /** Whether there may be more of them right now. */
  readonly isMore: boolean;
};

/** A part that is larger says nothing; it is the output of a tool, and stays where it is. */
const PART_CHARS_LIMIT = 4 * 1024 * 1024;
const ROWS_AT_ONCE = 100;

/** Messages of one session from opencode's database, whose ids grow with time. */
export function opencodeRows(file: string, session: string, since: string): SessionRows {
  return readForeign(file, (ask) => {
    const count = Number(ask('SELECT count(*) AS n FROM message WHERE session_id = ?', session)[0]?.n ?? 0);
    const ids = ask(
      'SELECT id FROM message WHERE session_id = ? AND id > ? ORDER BY id LIMIT ?',
      session,
      since,
      ROWS_AT_ONCE,
    ).map(({ id }) => String(id));
    const rows: MessageRow[] = [];
    for (const id of ids) {
      const row = rowOf(ask, id);
      if (!isDone(row) && !isLeft(ask, session, id)) break;
      rows.push(row);
    }
    return { rows, count, isMore: rows.length === ROWS_AT_ONCE };
  });
}

function rowOf(ask: ForeignQuestion, id: string): MessageRow {
  const [message] = ask('SELECT data FROM message WHERE id = ?', id);
  const parts = ask(
    `SELECT id, CASE WHEN length(data) > ${PART_CHARS_LIMIT} THEN '{}' ELSE data END AS data
       FROM part WHERE message_id = ? ORDER BY id`,
    id,
  );
  return {
    id,
    data: parsed(message?.data),
    parts: parts.map((part) => ({ id: String(part.id), data: parsed(part.data) })),
  };
}

/** A prompt is complete with its first part, an answer when it says so. */
function isDone({ data, parts }: MessageRow): boolean {
  const said = payloadOf(data);
  if (said.role !== 'assistant') return parts.length > 0;
  return payloadOf(said.time).completed !== undefined || said.error !== undefined;
}

/** What came after it shows that nobody goes on with it: opencode was killed, say. */
function isLeft(ask: ForeignQuestion, session: string, id: string): boolean {
  const later = ask(
    `SELECT 1 FROM message WHERE session_id = ? AND id > ? AND json_extract(data, '$.role') = 'user' LIMIT 1`,
    session,
    id,
  );
  return later.length > 0;
}

function parsed(value: unknown): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    return null;
  }
}
