import {
  changeId,
  type FileChange,
  failed,
  isBinary,
  type Outcome,
  ok,
  type Seq,
  sameVersion,
  type WorkspacePath,
} from '@palimpsest/core';
import type { Refusal } from '../basis/refusal.js';
import { versionOf } from '../store/known-tree.js';
import { measure } from '../store/measure.js';
import { Desk, type ReviewParts } from './desk.js';
import { Authors, BEFORE, type Origin } from './line-author.js';
import { lineOrigins } from './origins.js';
import { lineText } from './texts.js';

export type BlameLine = Origin & {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
};

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

/** Stands for what is on the disk and not on record yet, because a call is still running. */
const UNRECORDED = changeId(0 as Seq, 0);

async function originsOf(desk: Desk, path: WorkspacePath): Promise<readonly Origin[]> {
  const lineage = await desk.lineages.fresh(path, 1);
  const { weave } = lineage;
  // What a running call has brought here was perhaps elsewhere before: then its lines tell.
  const isNew = weave !== null && weave.initial === null && desk.parts.writer.isAhead(path);
  if (weave !== null && weave.initial === null && !isNew) return [];
  const present = versionOf(desk.parts.known.get(path));
  if (weave !== null && !isNew && !sameVersion(weave.version, present)) {
    const measured = await measure(desk.parts.content, weave.version, present);
    const file: FileChange = { path, before: weave.version, after: present, ...measured };
    weave.edit(UNRECORDED, file);
  }
  const authors = new Authors(desk.parts.live.log);
  const lines = present === null ? null : await desk.texts.lines(present.content);
  const origins = lines === null ? [] : await lineOrigins(desk, lineage, lines);
  return origins.map((origin) => (origin === null ? BEFORE : authors.of(origin)));
}
