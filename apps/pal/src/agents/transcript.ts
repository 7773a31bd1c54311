import type { Block } from '@palimpsest/core';
import type { Payload } from './payload.js';
import { textAt } from './payload.js';

/*
 * What an agent wrote down of its own conversation, in words that all agents share. Everything here is pure: reading files
 * is done elsewhere, and nothing is ever written into a transcript.
 */

export type TranscriptBlock = Block;

export type TranscriptMessage = {
  /** The agent's own, unique within its session; where it gives none, made of where the message stands. */
  readonly id: string;
  /** What it follows, where the agent says so. */
  readonly parent?: string;
  readonly role: 'system' | 'user' | 'assistant';
  readonly blocks: readonly TranscriptBlock[];
  /** In milliseconds since the epoch. */
  readonly at?: number;
  /** The turn, as the agent's hooks name it; where its transcript names none, a prompt is known by its text. */
  readonly turn?: string;
  readonly model?: string;
  /** Of a subagent of the session. */
  readonly agentId?: string;
  /** It stands for what was said before it. */
  readonly summary?: true;
};

/** What reading a piece of a transcript comes to: a message that is complete, or that some of them do not count any more. */
export type TranscriptItem =
  | { readonly kind: 'message'; readonly message: TranscriptMessage }
  /** The conversation went back to before this message, or to its beginning. */
  | { readonly kind: 'rewound'; readonly to: string | null };

/**
 * A transcript that grows by lines of JSON. The state says what lines that are to come have to be read with: the turn that is
 * running, and a message that may not be complete. It is dropped when a reading is taken up again from `begin(turn)`.
 */
export type LineReader = {
  readonly form: 'lines';
  readonly begin: (turn: string | null) => LineState;
  readonly read: (state: LineState, line: unknown, place: string) => LineReading;
};

export type LineState = {
  readonly turn: string | null;
  /** What the latest lines say, and a later one may say anew. */
  readonly held: readonly TranscriptMessage[];
};

export type LineReading = { readonly state: LineState; readonly items: readonly TranscriptItem[] };

/** A transcript that is written anew as a whole, as one JSON document. */
export type DocumentReader = {
  readonly form: 'document';
  readonly records: (document: unknown) => readonly unknown[];
  readonly read: (record: unknown, index: number) => readonly TranscriptItem[];
};

/** A transcript that is rows of a database: messages, and the parts of each. */
export type RowReader = { readonly form: 'rows'; readonly read: (row: MessageRow) => readonly TranscriptItem[] };
export type MessageRow = {
  readonly id: string;
  readonly data: unknown;
  readonly parts: readonly { readonly id: string; readonly data: unknown }[];
};

export type TranscriptReader = LineReader | DocumentReader | RowReader;

/** What is known of how an agent writes down its conversation itself. */
export type AgentTranscript = {
  readonly reader: TranscriptReader;
  /** Whether its hooks name calls as its transcript does; otherwise they are joined by their order and their inputs. */
  readonly calls: 'as-hooks-do' | 'by-order';
};

export const EMPTY_STATE: LineState = { turn: null, held: [] };

/** How much of one text is taken; the whole of it is in the bytes that are kept. */
export const TEXT_CHARS_LIMIT = 256 * 1024;

export function bounded(text: string): string {
  if (text.length <= TEXT_CHARS_LIMIT) return text;
  const half = TEXT_CHARS_LIMIT / 2;
  const left = text.length - TEXT_CHARS_LIMIT;
  return `${text.slice(0, half)}\n… ${left} characters are left out here …\n${text.slice(-half)}`;
}

/** An input of a call that is too large to be taken whole is told by its size. */
export function boundedInput(input: unknown): unknown {
  const size = JSON.stringify(input)?.length ?? 0;
  return size <= TEXT_CHARS_LIMIT ? (input ?? null) : { leftOut: `${size} characters` };
}

export function message(fields: TranscriptMessage): TranscriptItem {
  return { kind: 'message', message: fields };
}

/** Fields that are there, of values that may be missing. */
export function given<Fields extends object>(fields: Fields): { [Key in keyof Fields]?: NonNullable<Fields[Key]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as {
    [Key in keyof Fields]?: NonNullable<Fields[Key]>;
  };
}

export function timeAt(payload: Payload, key: string): number | undefined {
  const value = payload[key];
  const time = typeof value === 'number' ? value : Date.parse(textAt(payload, key) ?? '');
  return Number.isSafeInteger(time) && time > 0 ? time : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textBlock(text: string | undefined): readonly TranscriptBlock[] {
  return text === undefined || text === '' ? [] : [{ type: 'text', text: bounded(text) }];
}
