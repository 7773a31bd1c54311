import {
  type ChangeId,
  type ContentId,
  changeId,
  FILE_KINDS,
  filesAnywhere,
  filesAt,
  halvesOf,
  indexOfChange,
  kindsWith,
  type Lines,
  type Operation,
  type Segment,
  type Seq,
  traitsOf,
  type Weave,
  type WorkspacePath,
} from '@palimpsest/core';
import type { Desk } from './desk.js';
import type { Lineage } from './lineage.js';
import { lineText } from './texts.js';

/** The change that wrote a line, and the operation that it is of; null is what was there before anything was recorded. */
export type LineOrigin = { readonly change: ChangeId; readonly operation: Operation } | null;

/** Files are followed through so many moves over others. */
const MOVES_LIMIT = 8;
/** Contents that are searched for lines that were lost, the latest first. */
const LOST_CONTENTS = 200;

/**
 * Who wrote each line in sight. Mostly the history of the file tells. Where somebody brought lines in who did not write
 * them, they are followed further: to the file that was moved here over another; and, for what people, git and restores
 * brought, to the last line of this file that was lost and said the same.
 */
export async function lineOrigins(desk: Desk, lineage: Lineage, present: Lines): Promise<readonly LineOrigin[]> {
  const writers = new FirstWriters(desk);
  const traced = await new Origins(desk, writers, MOVES_LIMIT).of(lineage, { present });
  const origins: LineOrigin[] = [];
  for (let line = 0; line < present.count; line++) {
    const text = lineText(present, line);
    const told = traced[line];
    // A history that tells of another text tells nothing of this one.
    origins.push(told?.text === text ? told.origin : ((await writers.of(text)) ?? null));
  }
  return origins;
}

/** A line, and beside who wrote it the part of the file's history that put it where it is. */
export type TracedLine = { readonly text: string; readonly by: number; readonly origin: LineOrigin };

/** The same for the file as it would be if only what `doesCount` says counted. */
export async function tracedLines(
  desk: Desk,
  lineage: Lineage,
  doesCount?: (part: number) => boolean,
): Promise<readonly TracedLine[]> {
  return new Origins(desk, new FirstWriters(desk), MOVES_LIMIT).of(
    lineage,
    doesCount === undefined ? {} : { doesCount },
  );
}

type Tracing = {
  readonly doesCount?: (part: number) => boolean;
  /** The text that the history ends in. */
  readonly present?: Lines;
};

class Origins {
  readonly #desk: Desk;
  readonly #writers: FirstWriters;
  readonly #moves: number;
  readonly #followed = new Map<ChangeId, Promise<readonly TracedLine[] | null>>();
  readonly #held = new Map<WorkspacePath, readonly { readonly seq: Seq; readonly content: ContentId }[]>();

  constructor(desk: Desk, writers: FirstWriters, moves: number) {
    this.#desk = desk;
    this.#writers = writers;
    this.#moves = moves;
  }

  async of({ weave, steps }: Lineage, { doesCount, present }: Tracing = {}): Promise<readonly TracedLine[]> {
    if (weave === null) return [];
    const operations = new Map(steps.map(({ id, operation }) => [id, operation]));
    const counts = doesCount ?? ((part: number) => weave.doesCount(part));
    const isInSight = ({ by, removedBy }: Segment) => counts(by) && !removedBy.some(counts);
    const lost = new LostLines(
      this.#desk,
      weave.segments.filter((segment) => !isInSight(segment)),
    );
    const traced: TracedLine[] = [];
    const inSight = await Promise.all(weave.segments.filter(isInSight).map((segment) => this.#bounded(segment)));
    // Reading the one text that they are all in spares reading each text that one of them came with. After a decision that
    // wrote, the history may tell of another text.
    const isPlain = steps.every(({ file, operation }) => file === null || !putsBack(operation));
    const isWhole = isPlain && present?.count === inSight.reduce((sum, { lines }) => sum + lines, 0);
    const whole = isWhole ? present : undefined;
    for (const segment of inSight) {
      const lines = whole ?? (await this.#desk.texts.lines(segment.content));
      const shift = whole === undefined ? 0 : traced.length - segment.start;
      const end = Math.min(segment.start + segment.lines, (lines?.count ?? 0) - shift);
      const told = originIn(weave, segment.by, operations);
      const isFollowed = told !== null && (await this.#onceFor(told)) !== null;
      for (let line = segment.start; line < end; line++) {
        const text = lineText(lines!, line + shift);
        const mayBeLost = !isFollowed && told !== null && isBringing(told.operation);
        const earlier = mayBeLost ? await lost.writerOf(text, segment.by) : undefined;
        const wrote = earlier === undefined ? null : originIn(weave, earlier.by, operations);
        const origin =
          earlier !== undefined ? await this.#writerOf(wrote, earlier.line) : await this.#writerOf(told, line);
        const isWriter = origin === null || (origin !== undefined && !putsBack(origin.operation));
        traced.push({
          text,
          by: segment.by,
          origin: isWriter ? origin : ((await this.#writers.of(text)) ?? origin ?? null),
        });
      }
    }
    return traced;
  }

  /** The last of a text may be all the rest of it. */
  async #bounded(segment: Segment): Promise<Segment> {
    if (Number.isFinite(segment.lines)) return segment;
    const lines = await this.#desk.texts.lines(segment.content);
    return { ...segment, lines: Math.max(0, (lines?.count ?? 0) - segment.start) };
  }

  /** Who wrote a line that a change put here: it may have come with a file that was moved. Undefined where nothing tells. */
  async #writerOf(told: LineOrigin, line: number): Promise<LineOrigin | undefined> {
    const moved = told === null ? null : await this.#onceFor(told);
    return moved === null ? told : moved[line]?.origin;
  }

  #onceFor(told: NonNullable<LineOrigin>): Promise<readonly TracedLine[] | null> {
    const known = this.#followed.get(told.change) ?? this.#movedHere(told);
    this.#followed.set(told.change, known);
    return known;
  }

  /**
   * The lines of the content that a change put here, where it stood before: at the path of another file that was moved
   * over this one, or at this path when that was another file's.
   */
  async #movedHere({ change, operation }: NonNullable<LineOrigin>): Promise<readonly TracedLine[] | null> {
    if (this.#moves === 0) return null;
    const files = filesAt(operation, this.#desk.parts.place);
    const index = indexOfChange(change);
    const file = files[index];
    if (file === undefined || file.after === null || file.before?.content === file.after.content) return null;
    const half = halvesOf(files).find(([, to]) => to === index);
    const stood =
      half === undefined
        ? this.#stoodHere(file.path, file.after.content, operation.seq)
        : { path: files[half[0]]!.path, before: operation.seq };
    if (stood === null) return null;
    const lineage = await this.#desk.lineages.before(stood.path, stood.before);
    if (lineage.weave?.version?.content !== file.after.content) return null;
    const traced = await new Origins(this.#desk, this.#writers, this.#moves - 1).of(lineage);
    const lines = await this.#desk.texts.lines(file.after.content);
    return lines !== null && traced.every(({ text }, line) => line < lines.count && text === lineText(lines, line))
      ? traced
      : null;
  }

  /** The last time before that the path held this content, as the place in the log behind it. */
  #stoodHere(path: WorkspacePath, content: ContentId, before: Seq): { path: WorkspacePath; before: Seq } | null {
    let known = this.#held.get(path);
    if (known === undefined) {
      known = this.#desk.parts.live.log
        .find({ path, kinds: FILE_KINDS })
        .flatMap((operation) =>
          filesAt(operation, this.#desk.parts.place).map((file) => ({ file, seq: operation.seq })),
        )
        .filter(({ file }) => file.path === path && file.after !== null)
        .map(({ file, seq }) => ({ seq, content: file.after!.content }));
      this.#held.set(path, known);
    }
    const last = known.findLast((each) => each.seq < before && each.content === content);
    return last === undefined ? null : { path, before: (last.seq + 1) as Seq };
  }
}

/** Decisions put texts where they are, and write none. */
function putsBack({ kind }: Operation): boolean {
  return traitsOf(kind)?.text === 'earlier';
}

/**
 * Text of a person, also one that settles a conflict, or of a command that may do anything (git, a formatter), may be text
 * that was there before; what the bytes prove to be a call's, it wrote.
 */
function isBringing(operation: Operation): boolean {
  if (operation.kind !== 'changed') return true;
  return operation.author.kind !== 'agent' || operation.evidence === 'window';
}

/**
 * Who first wrote a line, in whatever file: asked only where the history of the file does not tell, because a decision
 * put together again what had been several files.
 */
class FirstWriters {
  readonly #desk: Desk;
  #byText: Promise<ReadonlyMap<string, NonNullable<LineOrigin>>> | null = null;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  async of(text: string): Promise<LineOrigin | undefined> {
    this.#byText ??= this.#read();
    return (await this.#byText).get(text);
  }

  async #read(): Promise<ReadonlyMap<string, NonNullable<LineOrigin>>> {
    const byText = new Map<string, NonNullable<LineOrigin>>();
    const { log } = this.#desk.parts.live;
    let contents = 0;
    for (const operation of log.find({ kinds: WRITING, newestFirst: true, limit: FIRST_WRITER_CONTENTS })) {
      for (const [index, file] of filesAnywhere(operation).entries()) {
        if (file.after === null || contents >= FIRST_WRITER_CONTENTS) continue;
        contents += 1;
        const lines = await this.#desk.texts.lines(file.after.content);
        const origin = { change: changeId(operation.seq, index), operation };
        for (const { newStart, newLines } of lines === null ? [] : file.spans)
          for (let line = newStart - 1; line < Math.min(newStart - 1 + newLines, lines!.count); line++)
            byText.set(lineText(lines!, line), origin);
      }
    }
    return byText;
  }
}

const WRITING = kindsWith({ text: 'new' });
const FIRST_WRITER_CONTENTS = 1_000;

function originIn(weave: Weave, part: number, operations: ReadonlyMap<ChangeId, Operation>): LineOrigin {
  const change = weave.parts[part]?.change;
  const operation = change === undefined ? undefined : operations.get(change);
  return change === undefined || operation === undefined ? null : { change, operation };
}

/** The part that wrote it, and where it stood in the text that the part left. */
type LostLine = { readonly by: number; readonly line: number };

/** The lines of a file that are out of sight, by what they say. */
class LostLines {
  readonly #desk: Desk;
  readonly #hidden: readonly Segment[];
  #byText: Map<string, LostLine> | null = null;

  constructor(desk: Desk, hidden: readonly Segment[]) {
    this.#desk = desk;
    this.#hidden = hidden;
  }

  /** The part that wrote the last lost line like this one, before it; undefined when there is none. */
  async writerOf(text: string, before: number): Promise<LostLine | undefined> {
    this.#byText ??= await this.#read();
    const lost = this.#byText.get(text);
    return lost === undefined || lost.by >= before ? undefined : lost;
  }

  async #read(): Promise<Map<string, LostLine>> {
    const latest = [...this.#hidden].sort((a, b) => b.by - a.by);
    const contents = new Set(latest.map(({ content }) => content).slice(0, LOST_CONTENTS));
    const byText = new Map<string, LostLine>();
    for (const segment of latest) if (contents.has(segment.content)) await this.#add(segment, byText);
    return byText;
  }

  /** The latest comes first; what came before a person brought it back is older, and is who wrote it. */
  async #add({ content, start, lines, by }: Segment, byText: Map<string, LostLine>): Promise<void> {
    const text = await this.#desk.texts.lines(content);
    if (text === null) return;
    for (let line = start; line < Math.min(start + lines, text.count); line++) {
      const said = lineText(text, line);
      if (said.trim() !== '') byText.set(said, { by, line });
    }
  }
}
