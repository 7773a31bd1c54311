/** Lines of a file that came with one change, as far as the formats of others tell who wrote them. */
export type AttributedLines = {
  /** From 1, both included. */
  readonly from: number;
  readonly to: number;
  readonly author: LineAuthor;
};

export type LineAuthor = {
  readonly kind: 'agent' | 'human' | 'unknown';
  readonly session?: string | undefined;
  readonly agent?: string | undefined;
  readonly callId?: string | undefined;
  /** As the agent names it. */
  readonly model?: string | undefined;
};

export type AttributedFile = { readonly path: string; readonly stretches: readonly AttributedLines[] };

type Line = { readonly line: number; readonly change: string | null; readonly author: LineAuthor };

/** Single lines, in order, as stretches. */
export function stretchesOf(lines: readonly Line[]): readonly AttributedLines[] {
  const stretches: { from: number; to: number; author: LineAuthor; change: string | null }[] = [];
  for (const { line, change, author } of lines) {
    const last = stretches.at(-1);
    if (last?.to === line - 1 && last.change === change && last.author.kind === author.kind) last.to = line;
    else stretches.push({ from: line, to: line, author, change });
  }
  return stretches;
}

/** Who wrote what: the stretches of each author, in the order of their first line. */
export function groupedBy(
  stretches: readonly AttributedLines[],
  keyOf: (author: LineAuthor) => string | null,
): ReadonlyMap<string, readonly AttributedLines[]> {
  const groups = new Map<string, AttributedLines[]>();
  for (const stretch of stretches) {
    const key = keyOf(stretch.author);
    if (key === null) continue;
    const group = groups.get(key);
    const last = group?.at(-1);
    if (last !== undefined && last.to === stretch.from - 1) group!.splice(-1, 1, { ...last, to: stretch.to });
    else if (group !== undefined) group.push(stretch);
    else groups.set(key, [stretch]);
  }
  return groups;
}
