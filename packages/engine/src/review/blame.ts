import {
  type Author,
  type Candidate,
  type ChangeId,
  changeId,
  type FileChange,
  failed,
  isBinary,
  laterAuthors,
  type Operation,
  type Outcome,
  ok,
  type Seq,
  type SessionId,
  sameVersion,
  type WorkspacePath,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import type { Log } from '../log/log.js';
import { versionOf } from '../store/known-tree.js';
import { measure } from '../store/measure.js';
import { Desk, type ReviewParts } from './desk.js';
import { type LineOrigin, lineOrigins } from './origins.js';
import { lineText } from './texts.js';

export type BlameLine = {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
  readonly author: BlameAuthor;
  /** Null, as is `at`, for what was there before anything was recorded. */
  readonly change: ChangeId | null;
  readonly at: number | null;
};

export type BlameAuthor =
  | {
      readonly kind: 'agent';
      readonly session: SessionId;
      readonly agent: string;
      readonly callId: string;
      readonly tool: string;
      /** What the session had been asked when it wrote the line. */
      readonly prompt: string | null;
    }
  | { readonly kind: 'human' }
  /** `candidates`: the calls that may have written it. */
  | { readonly kind: 'unknown'; readonly candidates?: readonly Candidate[] };

/** Who wrote each line of a file as it is: the lines of the present text carry their origin through the file's whole life. */
export async function blame(parts: ReviewParts, path: string): Promise<Outcome<readonly BlameLine[], Refusal>> {
  const located = parts.locate(path);
  if (!located.ok) return located;
  const version = versionOf(parts.known.get(located.value));
  if (version === null) return failed({ code: 'no-such-file', path: located.value });
  const desk = new Desk(parts);
  const lines = await desk.texts.lines(version.content);
  if (lines === null) return failed({ code: 'unknown-content', content: version.content });
  if (isBinary(lines.bytes)) return failed({ code: 'bad-input', why: `${located.value} has no lines: it is binary` });
  const origins = await originsOf(desk, located.value);
  return ok(
    Array.from({ length: lines.count }, (_, index): BlameLine => {
      return { line: index + 1, text: lineText(lines, index), ...(origins[index] ?? BEFORE) };
    }),
  );
}

type Origin = Pick<BlameLine, 'author' | 'change' | 'at'>;

const BEFORE: Origin = { author: { kind: 'unknown' }, change: null, at: null };
/** Stands for what is on the disk and not on record yet, because a call is still running. */
const UNRECORDED = changeId(0 as Seq, 0);

async function originsOf(desk: Desk, path: WorkspacePath): Promise<readonly Origin[]> {
  const lineage = await desk.lineages.fresh(path, 1);
  const { weave } = lineage;
  // What a running call has brought here was perhaps elsewhere before: then its lines tell.
  const isNew = weave !== null && weave.initial === null && desk.parts.writer.isAhead(path);
  if (weave === null || (weave.initial === null && !isNew)) return [];
  const present = versionOf(desk.parts.known.get(path));
  if (!isNew && !sameVersion(weave.version, present)) {
    const measured = await measure(desk.parts.content, weave.version, present);
    const file: FileChange = { path, before: weave.version, after: present, ...measured };
    weave.edit(UNRECORDED, file);
  }
  const authors = new Authors(desk.parts.live.log);
  const lines = present === null ? null : await desk.texts.lines(present.content);
  const origins = lines === null ? [] : await lineOrigins(desk, lineage, lines);
  return origins.map((origin) => (origin === null ? BEFORE : authors.of(origin)));
}

/** Authors of changes, with what was asked for at the time. */
class Authors {
  readonly #log: Log;
  readonly #found = new Map<ChangeId, Origin>();
  readonly #prompts = new Map<SessionId, readonly (Operation & { kind: 'prompted' })[]>();
  #proven: ReadonlyMap<ChangeId, Author> | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  of({ change, operation }: NonNullable<LineOrigin>): Origin {
    const known = this.#found.get(change);
    if (known !== undefined) return known;
    const origin = { author: this.#author(change, operation), change, at: operation.at };
    this.#found.set(change, origin);
    return origin;
  }

  #author(change: ChangeId, operation: Operation): BlameAuthor {
    if (operation.kind === 'resolved') return { kind: 'human' };
    if (operation.kind !== 'changed') return { kind: 'unknown' };
    const author = this.#later(change) ?? operation.author;
    if (author.kind === 'human') return author;
    if (author.kind === 'unknown') return author.candidates.length === 0 ? { kind: 'unknown' } : author;
    const { session, agent, call, tool } = author;
    return { kind: 'agent', session, agent, callId: call, tool, prompt: this.#prompt(session, operation) };
  }

  /** Who it was found to be later, if anybody. */
  #later(change: ChangeId): Author | undefined {
    this.#proven ??= laterAuthors(this.#log.find({ kinds: ['attributed', 'undone'] }));
    return this.#proven.get(change);
  }

  #prompt(session: SessionId, operation: Operation & { kind: 'changed' }): string | null {
    let prompts = this.#prompts.get(session);
    if (prompts === undefined) {
      const found = this.#log.find({ kinds: ['prompted'], session });
      prompts = found.filter((each): each is Operation & { kind: 'prompted' } => each.kind === 'prompted');
      this.#prompts.set(session, prompts);
    }
    const ofTurn = prompts.findLast(({ turn }) => operation.turn !== undefined && turn === operation.turn);
    return (ofTurn ?? prompts.findLast(({ seq }) => seq < operation.seq))?.text ?? null;
  }
}
