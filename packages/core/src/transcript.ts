import type { CallId, ContentId, Seq, SessionId } from './ids.js';

/**
 * How far an agent's own transcript had come at a prompt, a call or the end of a turn, and what we keep of its bytes. What
 * is said in it are messages; this is the link between them, the calls and the agent's own file.
 */
export type TranscriptRead = {
  readonly kind: 'transcript-read';
  readonly session: SessionId;
  readonly agent: string;
  /** Where it lies, as the agent says: a file, or the database that it is in. */
  readonly transcript: string;
  /** The subagent of the session that it is of. */
  readonly agentId?: string;
  readonly occasion: 'prompt' | 'call' | 'turn-end' | 'session-end';
  readonly turn?: string;
  readonly call?: CallId;
  /** In bytes; of what is no file of its own, when it last changed, in milliseconds since the epoch. */
  readonly length: number;
  /** The agent's id of the last message in it. */
  readonly last: string | null;
  /** Where a reading goes on, and what tells that the file is still the same. */
  readonly mark?: { readonly offset: number; readonly ino: number; readonly print: string };
  /** It is not what it was when it was read before: everything in it was read again. */
  readonly anew?: true;
  /** Lines that were too long, or could not be understood. */
  readonly leftOut?: number;
  /** What it gained since it was kept last; the whole of it where it was written anew. */
  readonly kept?: readonly TranscriptPiece[];
};

/** Bytes of a transcript, from one place to another. */
export type TranscriptPiece = {
  readonly from: number;
  readonly to: number;
  /** Null once they were forgotten. */
  readonly content: ContentId | null;
};

/** Whose conversation went back, and to after which operation. */
export type ConversationTakenBack = {
  readonly session: SessionId;
  readonly upTo: Seq;
  /** The session in which it goes on, where that is another; then this one stays as it was. */
  readonly fork?: SessionId;
  /** How its agent takes that one up. */
  readonly resume?: string;
};
