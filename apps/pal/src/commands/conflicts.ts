import type { ChangeJson, Client } from '@palimpsest/protocol';
import type { CommandFile } from '../cli/command.js';
import { clientOf, said } from '../face/client.js';
import { type ConflictWords, conflictsText } from '../print/conflicts.js';
import { flowConflictsText } from '../print/worktrees.js';

export const command: CommandFile = {
  summary: 'show changes that could not be taken back, and files that worktrees could not merge',
  section: 'Keep',
  details:
    'For each: which hunks, whose later edits stand in the way, and the file as it is against the file without it.',
  examples: [{ line: 'pal conflicts', does: 'what waits to be settled' }],
  define: (self, act) =>
    self.action(
      act(async (face) => {
        const client = await clientOf(face);
        const { changes, flows } = said(await client.listConflicts());
        const words: ConflictWords[] = [];
        if (face.format === 'text') for (const change of changes) words.push(await wordsOf(client, change));
        return {
          json: { changes, flows },
          pages: true,
          verbatim: true,
          text: (style) => {
            const texts = [
              ...(changes.length === 0 ? [] : [conflictsText(words, style)]),
              ...(flows.length === 0 ? [] : [flowConflictsText(flows, style)]),
            ];
            return texts.length === 0 ? 'no conflicts' : texts.join('\n\n');
          },
        };
      }),
    ),
};

async function wordsOf(client: Client, change: ChangeJson): Promise<ConflictWords> {
  // The reason names the changes that rest on this one.
  const ids = change.conflict?.reason.match(/\bc\d+\.\d+\b/g) ?? [];
  const inTheWay: ChangeJson[] = [];
  for (const id of ids) {
    const found = await client.getChange({ params: { change: id } });
    if (found.ok) inTheWay.push(found.value.change);
  }
  return { change, inTheWay, sides: await sidesOf(client, change) };
}

async function sidesOf(client: Client, { conflict, path, movedTo = path }: ChangeJson): Promise<string | null> {
  const side = async (content: string | null | undefined) => {
    if (content === null || content === undefined) return null;
    const found = await client.getContent({ params: { content } });
    return found.ok ? { path: movedTo, bytes: found.value } : null;
  };
  const { formatUnified, isBinary } = await import('@palimpsest/core');
  const [ours, theirs] = [await side(conflict?.ours), await side(conflict?.theirs)];
  if ([ours, theirs].some((one) => one !== null && isBinary(one.bytes))) return null;
  const patch = new TextDecoder().decode(formatUnified(ours, theirs));
  // Only the lines: whose file it is stands above.
  return patch.includes('@@') ? patch.slice(patch.search(/^@@/m)) : null;
}
