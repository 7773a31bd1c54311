import type { Row } from './rows.js';

/** A row of the view side by side: what is removed stands left of what came in its place. */
export type SideRow =
  | { readonly kind: 'pair'; readonly left: SideLine | null; readonly right: SideLine | null }
  | Exclude<Row, { readonly kind: 'same' | 'removed' | 'added' }>;
export type SideLine = Extract<Row, { readonly kind: 'same' | 'removed' | 'added' }>;

export function sideBySide(rows: readonly Row[]): readonly SideRow[] {
  const sides: SideRow[] = [];
  let [left, right]: [SideLine[], SideLine[]] = [[], []];
  const flush = () => {
    for (let index = 0; index < Math.max(left.length, right.length); index += 1)
      sides.push({ kind: 'pair', left: left[index] ?? null, right: right[index] ?? null });
    [left, right] = [[], []];
  };
  for (const row of rows) {
    switch (row.kind) {
      case 'removed':
        left.push(row);
        break;
      case 'added':
        right.push(row);
        break;
      // Said once for both sides it would tear pairs apart; the side that it belongs to shows it by its place.
      case 'open-end':
        break;
      case 'same':
        flush();
        sides.push({ kind: 'pair', left: row, right: row });
        break;
      default:
        flush();
        sides.push(row);
    }
  }
  flush();
  return sides;
}
