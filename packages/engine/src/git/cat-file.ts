import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { failed, type Outcome, ok } from '@palimpsest/core';
import { isObjectId, isObjectType, type ObjectId, type ObjectType } from './object-id.js';
import { endChild, type Git, type GitError } from './run.js';

/** `bytes` is null when only the size was asked for. */
type CatReply = { readonly type: ObjectType; readonly sizeBytes: number; readonly bytes: Buffer | null };
type CatError = { readonly code: 'damaged'; readonly id: ObjectId; readonly detail: string } | GitError;

/** One long-lived `git cat-file`, started when first asked and again when it dies. */
interface CatFile {
  ask(id: ObjectId): Promise<Outcome<CatReply | null, CatError>>;
  /** Ends the child; the next question starts another, which sees packs and alternates as they are then. */
  restart(): void;
  close(): Promise<void>;
}

/** A child that says nothing for this long while questions wait is replaced. */
const CAT_REPLY_LIMIT_MS = 60_000;
/** A question that ended two children is the cause, not the victim. */
const ATTEMPT_LIMIT = 2;
const LONGEST_REPLY_LINE_BYTES = 256;

type Question = {
  readonly id: ObjectId;
  readonly answer: (outcome: Outcome<CatReply | null, CatError>) => void;
  attempts: number;
};
type Child = {
  readonly process: ChildProcessWithoutNullStreams;
  readonly reader: ReplyReader;
  readonly waiting: Question[];
  stderr: string;
};

export function openCatFile(git: Git, gitDir: string, mode: '--batch' | '--batch-check'): CatFile {
  let child: Child | null = null;
  let closed = false;

  const begin = (): Child =>
    startChild(git.start(gitDir, ['cat-file', mode]), mode, (ended, missing) => {
      if (child === ended) child = null;
      if (missing === null) again(ended);
      else for (const question of ended.waiting) question.answer(failed({ code: 'git-missing', detail: missing }));
    });

  const send = (question: Question) => {
    child ??= begin();
    child.waiting.push(question);
    hold(child);
    child.process.stdin.write(`${question.id}\n`);
  };

  /** Only the foremost question can have ended the child; the others were waiting behind it. */
  const again = (dead: Child) => {
    const [first, ...others] = dead.waiting.splice(0);
    if (first !== undefined) {
      first.attempts += 1;
      if (first.attempts < ATTEMPT_LIMIT && !closed) send(first);
      else first.answer(closed ? failed(wasClosed) : failed(damagedBy(first.id, dead.stderr)));
    }
    for (const question of others) {
      if (closed) question.answer(failed(wasClosed));
      else send(question);
    }
  };

  return {
    ask: (id) => {
      // The id becomes a line to the child; anything else could be an expression git would evaluate.
      if (!isObjectId(id)) throw new Error(`not an object id: ${JSON.stringify(id)}`);
      if (closed) return Promise.resolve(failed(wasClosed));
      return new Promise((answer) => send({ id, answer, attempts: 0 }));
    },
    restart: () => {
      child?.process.stdin.end();
      child = null;
    },
    close: async () => {
      closed = true;
      const last = child;
      if (last === null) return;
      await new Promise<void>((resolve) => {
        last.process.once('close', () => resolve());
        last.process.ref();
        last.process.stdin.end();
        setTimeout(() => endChild(last.process), CLOSE_LIMIT_MS).unref();
      });
    },
  };
}

/** `onEnd` hears why there was no program, if there was none. */
function startChild(
  process: ChildProcessWithoutNullStreams,
  mode: '--batch' | '--batch-check',
  onEnd: (ended: Child, missing: string | null) => void,
): Child {
  const started: Child = { process, reader: replyReader(mode), waiting: [], stderr: '' };
  const timer = setInterval(() => {
    if (started.waiting.length > 0) endChild(process);
  }, CAT_REPLY_LIMIT_MS).unref();
  process.stdout.on('data', (chunk: Buffer) => {
    timer.refresh();
    for (const reply of started.reader.read(chunk)) started.waiting.shift()?.answer(reply);
    if (started.reader.isBroken()) endChild(process);
    hold(started);
  });
  process.stderr.on('data', (chunk: Buffer) => {
    started.stderr = (started.stderr + chunk.toString('utf8')).slice(-4096);
  });
  process.stdin.on('error', () => undefined);
  let missing: string | null = null;
  process.once('error', (error) => {
    missing = error.message;
  });
  process.once('close', () => {
    clearInterval(timer);
    onEnd(started, missing);
  });
  return started;
}

const CLOSE_LIMIT_MS = 2_000;
const wasClosed: GitError = {
  code: 'git-killed',
  args: ['cat-file'],
  why: 'cancelled',
  stderr: 'the store was closed',
};

/** An idle child must not keep our process alive; one that owes an answer must. */
function hold({ process, waiting }: Child): void {
  const streams = [process, process.stdin, process.stdout, process.stderr] as unknown as readonly Holdable[];
  for (const stream of streams) {
    if (waiting.length > 0) stream.ref?.();
    else stream.unref?.();
  }
}

type Holdable = { ref?(): void; unref?(): void };
type Reply = Outcome<CatReply | null, CatError>;
type ReplyReader = { read(chunk: Buffer): readonly Reply[]; isBroken(): boolean };

function replyReader(mode: '--batch' | '--batch-check'): ReplyReader {
  let chunks: Buffer[] = [];
  let held = 0;
  /** Bytes that the next step needs; until they are there, chunks are only collected. */
  let needed = 1;
  let broken = false;

  const read = (chunk: Buffer): readonly Reply[] => {
    chunks.push(chunk);
    held += chunk.length;
    if (held < needed) return [];
    let data = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    const replies: Reply[] = [];
    for (;;) {
      const step = parseReply(data, mode);
      if (step.kind === 'broken') broken = true;
      if (step.kind !== 'reply') {
        needed = step.kind === 'more' ? step.needed : Number.POSITIVE_INFINITY;
        break;
      }
      replies.push(step.reply);
      data = data.subarray(step.length);
    }
    chunks = data.length === 0 ? [] : [data];
    held = data.length;
    return replies;
  };
  return { read, isBroken: () => broken };
}

type Step =
  | { readonly kind: 'reply'; readonly reply: Reply; readonly length: number }
  | { readonly kind: 'more'; readonly needed: number }
  | { readonly kind: 'broken' };

function parseReply(data: Buffer, mode: '--batch' | '--batch-check'): Step {
  const end = data.indexOf(0x0a);
  if (end < 0)
    return data.length > LONGEST_REPLY_LINE_BYTES ? { kind: 'broken' } : { kind: 'more', needed: data.length + 1 };
  const [id = '', type = '', size = ''] = data.toString('latin1', 0, end).split(' ');
  if (type === 'missing') return { kind: 'reply', reply: ok(null), length: end + 1 };
  const sizeBytes = Number(size);
  if (!isObjectId(id) || !isObjectType(type) || !Number.isSafeInteger(sizeBytes)) return { kind: 'broken' };
  if (mode === '--batch-check') return { kind: 'reply', reply: ok({ type, sizeBytes, bytes: null }), length: end + 1 };
  const length = end + 1 + sizeBytes + 1;
  if (data.length < length) return { kind: 'more', needed: length };
  // A copy, because the bytes outlive the chunk they came in and would keep all of it in memory.
  const bytes = Buffer.from(data.subarray(end + 1, end + 1 + sizeBytes));
  return { kind: 'reply', reply: ok({ type, sizeBytes, bytes }), length };
}

function damagedBy(id: ObjectId, stderr: string): CatError {
  return { code: 'damaged', id, detail: stderr.trim() || 'git cannot read it' };
}
