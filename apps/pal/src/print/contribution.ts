import type { ContributionJson, LineAuthorJson } from '@palimpsest/protocol';

type FileJson = ContributionJson['files'][number];

/** Whoever wrote a line of it, or left a file as it is; in that order, and as often. */
export function authorsOf({ files }: ContributionJson): readonly LineAuthorJson[] {
  return files.flatMap(authorsOfFile);
}

function authorsOfFile({ stretches, whole }: FileJson): readonly LineAuthorJson[] {
  return [...stretches.map(({ author }) => author), ...(whole === null ? [] : [whole.author])];
}

/** One file with all that several contributions did to it. */
export type FileSummary = {
  readonly path: string;
  readonly kind: FileJson['kind'];
  readonly added: number;
  readonly removed: number;
  readonly by: readonly { readonly who: string; readonly tools: readonly string[]; readonly lines: number }[];
};

export function filesOf(contributions: readonly ContributionJson[]): readonly FileSummary[] {
  const byPath = new Map<string, FileJson[]>();
  for (const file of contributions.flatMap(({ files }) => files))
    byPath.set(file.path, [...(byPath.get(file.path) ?? []), file]);
  return [...byPath].map(([path, files]) => ({
    path,
    kind:
      files.some(({ kind }) => kind === 'create') && files.at(-1)!.kind !== 'delete' ? 'create' : files.at(-1)!.kind,
    added: files.reduce((sum, { added }) => sum + added, 0),
    removed: files.reduce((sum, { removed }) => sum + removed, 0),
    by: handsOf(files),
  }));
}

/** A person's own share is said, and nobody's is not. */
function handsOf(files: readonly FileJson[]): FileSummary['by'] {
  const hands = new Map<string, { tools: Set<string>; lines: number }>();
  const parts = files.flatMap(({ stretches, whole }) => [
    ...stretches.map(({ author, from, to }) => ({ author, lines: to - from + 1 })),
    ...(whole === null ? [] : [{ author: whole.author, lines: 0 }]),
  ]);
  for (const { author, lines } of parts) {
    const who = author.kind === 'agent' ? (author.agent ?? 'agent') : author.kind === 'human' ? 'by hand' : null;
    if (who === null) continue;
    const hand = hands.get(who) ?? { tools: new Set<string>(), lines: 0 };
    if (author.tool !== undefined) hand.tools.add(author.tool);
    hands.set(who, { ...hand, lines: hand.lines + lines });
  }
  return [...hands].map(([who, { tools, lines }]) => ({ who, tools: [...tools], lines }));
}
