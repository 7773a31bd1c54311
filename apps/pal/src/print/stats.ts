import type { AnswerOf, TallyJson } from '@palimpsest/protocol';
import { counted } from './amount.js';
import { harmless } from './harmless.js';
import type { Style } from './style.js';
import { type Column, table } from './table.js';

const NUMBERS = ['changes', 'accepted', 'rejected', 'pending', 'added', 'removed', 'survived'] as const;

export function statsText({ agents, tools, unread }: AnswerOf<'stats'>, style: Style): string {
  if (agents.length === 0) return 'no agent has changed anything here';
  const rows: readonly Tallied[] = agents.flatMap((tally) => [
    { name: harmless(tally.agent), tally, paint: style.paint.strong },
    ...tools
      .filter(({ agent }) => agent === tally.agent)
      .map((one) => ({ name: `  ${harmless(one.tool)}`, tally: one })),
  ]);
  const columns: readonly Column<Tallied>[] = [
    { title: 'AGENT, TOOL', yields: true, text: ({ name }) => name, paint: ({ paint }) => paint },
    ...NUMBERS.map((field) => ({
      title: field.toUpperCase(),
      align: 'right' as const,
      text: ({ tally }: Tallied) => numberOf(tally, field),
    })),
  ];
  const told = table(columns, rows, style);
  const remark = `the lines of ${counted(unread.length, 'file')} could not be counted among those that survived`;
  return unread.length === 0 ? told : `${told}\n\n${style.paint.quiet(remark)}`;
}

type Tallied = { readonly name: string; readonly tally: TallyJson; readonly paint?: (text: string) => string };

/** Lines are counted in the last three, changes in the others; a nought says less than nothing. */
function numberOf(tally: TallyJson, field: (typeof NUMBERS)[number]): string {
  return tally[field] === 0 ? '-' : String(tally[field]);
}
