import type { CallId, ContentId, Seq, SessionId } from './ids.js';

/** What the model gets, and what the human sees: two histories of one session, linked with each other. */
export type HistoryName = 'model' | 'human';

/** A result of a tool is a block of a message of the user, whatever a provider calls its role. */
export type MessageRole = 'system' | 'user' | 'assistant';

/** A message in the one form that everything of ours reads, whoever wrote it. */
export type Message = { readonly role: MessageRole; readonly blocks: readonly Block[] };

export type Block =
  | { readonly type: 'text'; readonly text: string }
  /** `signature`, `sealed`: what a provider wants back along with it, unchanged. */
  | { readonly type: 'reasoning'; readonly text: string; readonly signature?: string; readonly sealed?: string }
  | { readonly type: 'tool-call'; readonly call: string; readonly tool: string; readonly input: unknown }
  | { readonly type: 'tool-result'; readonly call: string; readonly text: string; readonly outcome: 'ok' | 'failed' }
  /** An image, a document, or a block of a kind that we do not know: what it is called, and how its form writes it. */
  | { readonly type: 'attachment'; readonly what: string; readonly raw?: unknown };

/**
 * How the kept JSON of a message is written; `readMessage` makes a `Message` of it. `blocks` is our own form, with whatever
 * else its writer put beside: `{role, blocks, raw?, …}`.
 */
export type MessageForm = 'blocks' | 'anthropic' | 'openai' | 'ai-sdk' | 'roo-ui';

/** JSON text exactly as it was given, in place while it is short, or by content id. */
export type KeptJson = { readonly json: string } | { readonly content: ContentId };

/** Where a message comes from; without a source it was given to us as our own. */
export type MessageSource =
  /** An agent's transcript. `message`: the agent's own id of it. `offset`: where it ends in the transcript, in bytes. */
  | {
      readonly kind: 'transcript';
      readonly agent: string;
      readonly message: string;
      readonly transcript?: string;
      readonly offset?: number;
    }
  /** A file of a task folder, and the place in it. */
  | { readonly kind: 'task'; readonly file: string; readonly index: number };

export type MessageAdded = {
  readonly kind: 'message-added';
  readonly session: SessionId;
  readonly history: HistoryName;
  readonly role: MessageRole;
  readonly form: MessageForm;
  /** Null once it was forgotten. */
  readonly body: KeptJson | null;
  /** The calls that it asks for, answers, or is about. */
  readonly calls: readonly CallId[];
  /** The message of the other history that it stands beside. */
  readonly beside?: Seq;
  readonly source?: MessageSource;
  readonly turn?: string;
  /** When it was said, where that is not when it was recorded; in milliseconds since the epoch. */
  readonly saidAt?: number;
  /** It stands for what was said before it. */
  readonly summary?: true;
  /** What the provider counted for the request that this answers: all that went in, cached or not, and what came out. */
  readonly usage?: { readonly input: number; readonly output: number };
};

/**
 * From here on the model gets less of its history than was said. It says all that is left out, so that the latest one alone
 * counts; nothing is removed, and one that leaves out nothing brings everything back.
 */
export type HistoryReduced = {
  readonly kind: 'history-reduced';
  readonly session: SessionId;
  readonly reductions: readonly Reduction[];
};

export type Reduction =
  /** Everything that was said for the model before `upTo` and is not kept for good is left out; `summary` stands for it. */
  | { readonly type: 'summary'; readonly summary: Seq; readonly upTo: Seq }
  /** The messages with these calls and their results. */
  | { readonly type: 'hidden'; readonly messages: readonly Seq[] }
  /** The result of a call, cut to so many characters at its head and its tail. */
  | { readonly type: 'shrunk'; readonly message: Seq; readonly call: string; readonly chars: number }
  /** The result of a read that a later one of the same file made useless. */
  | { readonly type: 'superseded'; readonly message: Seq; readonly call: string; readonly by: Seq };

/** A task folder of another program was taken over; its files stay as they were. */
export type TaskImported = {
  readonly kind: 'task-imported';
  readonly session: SessionId;
  readonly dialect: 'roo' | 'cline';
  readonly taken: readonly TaskFile[];
};

export type TaskFile = {
  readonly name: string;
  readonly content: ContentId;
  /** The history that was read from it. */
  readonly history?: HistoryName;
  /** It could not be read: what it holds is kept aside, and is nobody's history. */
  readonly damaged?: string;
};
