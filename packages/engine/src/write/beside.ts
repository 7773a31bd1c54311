import {
  type ContentId,
  FILE_KINDS,
  type FileChange,
  filesAt,
  type PlaceId,
  type Seq,
  type WorkspacePath,
} from '@palimpsest/core';
import type { Log } from '../log/log.js';
import type { Beside, PastStep } from './safeguard.js';

/** Which texts of an operation went from, or came to, other files than the one in question. */
export class Besides {
  readonly #gone: Side;
  readonly #come: Side;

  constructor(all: readonly FileChange[]) {
    const files = all.filter(({ before, after }) => before?.content !== after?.content);
    const turned = files.map((file) => ({ ...file, before: file.after, after: file.before }));
    this.#gone = sideOf(files);
    this.#come = sideOf(turned);
  }

  of({ before, after }: Pick<PastStep, 'before' | 'after'>): Pick<PastStep, 'vanished' | 'appeared'> {
    return { vanished: pick(this.#gone, before, after), appeared: pick(this.#come, after, before) };
  }
}

/** Texts that left as a whole, and by its content each that left at all. */
type Side = { readonly whole: readonly Beside[]; readonly any: ReadonlyMap<ContentId, Beside> };

function sideOf(files: readonly FileChange[]): Side {
  const any = new Map(besidesOf(files).map((beside) => [beside.content, beside]));
  return { whole: besidesOf(files.filter(isGoneAsAWhole)), any };
}

/** What was removed or exchanged in the same go, and where the very content stood if it is from elsewhere. */
function pick({ whole, any }: Side, own: ContentId | null, text: ContentId | null): readonly Beside[] {
  if (text === null) return [];
  const others = whole.filter(({ content }) => content !== own);
  const source = any.get(text);
  return source === undefined || others.includes(source) ? others : [...others, source];
}

function besidesOf(files: readonly FileChange[]): readonly Beside[] {
  return files.flatMap(({ before, after }) =>
    before === null ? [] : { content: before.content, other: after?.content ?? null },
  );
}

/** Removed, or exchanged for another text from its first line on. */
function isGoneAsAWhole({ after, spans }: FileChange): boolean {
  const [only] = spans;
  if (after === null || only === undefined) return after === null;
  return spans.length === 1 && only.oldStart <= 1 && only.newStart <= 1 && only.oldLines > 0 && only.newLines > 0;
}

/** Every content that one of these paths held until then. */
export function contentsAt(
  log: Log,
  paths: ReadonlySet<WorkspacePath>,
  before: Seq,
  place: PlaceId | null = null,
): readonly ContentId[] {
  const contents = new Set<ContentId>();
  for (const path of paths)
    for (const operation of log.find({ path, kinds: FILE_KINDS, before }))
      for (const file of filesAt(operation, place))
        if (file.path === path || file.fromPath === path)
          for (const version of [file.before, file.after]) if (version !== null) contents.add(version.content);
  return [...contents];
}
