import type { Cut } from '@palimpsest/engine';
import { payloadOf, textAt } from '../../agents/payload.js';
import { listOf } from '../../agents/transcript.js';

/** What a line of Claude Code's transcript, or of Qwen Code's, has to do with where it may be cut. */
export type LineFacts = {
  /** Null for a line that is no part of the conversation. */
  readonly id: string | null;
  readonly isSaid: boolean;
  readonly turn: string | null;
  /** The message of the model that it is a part of. */
  readonly message: string | null;
  readonly asks: readonly string[];
  readonly answers: readonly string[];
};

/** Which lines the fork gets: those before `upTo`, without some. */
export type LineCut = { readonly upTo: number; readonly without: ReadonlySet<number> } | { readonly why: string };

export function lineFacts(value: unknown): LineFacts {
  const line = payloadOf(value);
  const said = payloadOf(line.message);
  const blocks = listOf(said.content).map(payloadOf);
  const named = (type: string, key: string) =>
    blocks.flatMap((block) => (block.type === type ? (textAt(block, key) ?? []) : []));
  return {
    id: textAt(line, 'uuid') ?? null,
    isSaid: line.type === 'user' || line.type === 'assistant',
    turn: textAt(line, 'promptId') ?? null,
    message: line.type === 'assistant' ? (textAt(said, 'id') ?? null) : null,
    asks: named('tool_use', 'id'),
    answers: named('tool_result', 'tool_use_id'),
  };
}

export function cutLines(lines: readonly LineFacts[], cut: Cut): LineCut {
  switch (cut.kind) {
    case 'end':
      return upToBefore(lines, lines.length);
    case 'before-prompt': {
      const byId = lines.findIndex(({ id }) => id !== null && id === cut.message);
      const at = byId >= 0 ? byId : lines.findIndex(({ isSaid, turn }) => isSaid && turn === cut.turn);
      return at < 0 ? { why: 'the prompt is not in its transcript' } : upToBefore(lines, at);
    }
    case 'after-call':
      return afterCall(lines, cut.call);
    case 'before-call':
      return beforeCall(lines, cut.call);
  }
}

/** What the agent notes for itself after the last thing that was said belongs to what comes next. */
function upToBefore(lines: readonly LineFacts[], end: number): LineCut {
  const last = lines.slice(0, end).findLastIndex(({ id }) => id !== null);
  if (!lines.slice(0, last + 1).some(({ isSaid }) => isSaid)) return { why: NOTHING_BEFORE };
  return { upTo: last + 1, without: new Set() };
}

export const NOTHING_BEFORE = 'nothing was said before that: a new session is the same';

/** Calls that the model asked for in the same breath and that had not ended are left out: they are still to be asked for. */
function afterCall(lines: readonly LineFacts[], call: string): LineCut {
  const at = lines.findIndex(({ answers }) => answers.includes(call));
  if (at < 0) return { why: 'the result of that call is not in its transcript' };
  const { message } = lines.find(({ asks }) => asks.includes(call)) ?? { message: null };
  const answered = new Set(lines.slice(0, at + 1).flatMap(({ answers }) => answers));
  const without = lines.flatMap((line, index) =>
    index <= at && message !== null && line.message === message && line.asks.some((asked) => !answered.has(asked))
      ? [index]
      : [],
  );
  return { upTo: at + 1, without: new Set(without) };
}

function beforeCall(lines: readonly LineFacts[], call: string): LineCut {
  const at = lines.findIndex(({ asks }) => asks.includes(call));
  if (at < 0) return { why: 'that call is not in its transcript' };
  const { message } = lines[at]!;
  const first = message === null ? at : lines.findIndex((line) => line.message === message);
  const earlier = lines.slice(first, at).flatMap(({ asks }) => asks);
  return earlier.length > 0 ? afterCall(lines, earlier.at(-1)!) : upToBefore(lines, first);
}
