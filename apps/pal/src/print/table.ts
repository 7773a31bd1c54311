import { padEnd, padStart, shorten, widthOf } from './width.js';

/** `paint` colours a cell after it has been measured and padded, so that colours never disturb the columns. */
export type Cell = { readonly text: string; readonly paint?: (text: string) => string };
export type Column = {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Gives way when a row is too wide for the terminal. */
  readonly yields?: true;
  /** Is left out when all that yield have given way and a row is still too wide; the greatest goes first. */
  readonly drops?: number;
};
export type TableOptions = { readonly width: number | null; readonly paintTitle?: (text: string) => string };

/** Aligned columns, two spaces apart, no frames: easy on the eye and on `cut`. Cells must be harmless already. */
export function table(columns: readonly Column[], rows: readonly (readonly Cell[])[], options: TableOptions): string {
  const natural = columns.map((column, at) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(row[at]?.text ?? '')), widthOf(column.title)),
  );
  const widths = fit(columns, natural, options.width);
  if (options.width !== null && totalOf(widths) > options.width) {
    const least = Math.max(...columns.map(({ drops = 0 }) => drops));
    const at = least === 0 ? -1 : columns.findIndex(({ drops }) => drops === least);
    const without = <T>(list: readonly T[]) => list.filter((_, index) => index !== at);
    if (at >= 0) return table(without(columns), rows.map(without), options);
  }
  const line = (cells: readonly Cell[]) =>
    columns
      .map((column, at) => {
        const cell = cells[at] ?? { text: '' };
        const text = shorten(cell.text, widths[at]!);
        const last = at === columns.length - 1 && column.align !== 'right';
        const padded = last ? text : column.align === 'right' ? padStart(text, widths[at]!) : padEnd(text, widths[at]!);
        return cell.paint === undefined ? padded : cell.paint(padded);
      })
      .join(GAP)
      .trimEnd();
  const titles = columns.map(
    ({ title }): Cell =>
      options.paintTitle === undefined ? { text: title } : { text: title, paint: options.paintTitle },
  );
  return [line(titles), ...rows.map(line)].join('\n');
}

const GAP = '  ';
const NARROWEST = 12;

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);
}

/** The last of the columns that yield gives way first: what a row is about stands further left. */
function fit(columns: readonly Column[], widths: readonly number[], room: number | null): readonly number[] {
  if (room === null) return widths;
  let excess = totalOf(widths) - room;
  const fitted = [...widths];
  for (let at = columns.length - 1; at >= 0 && excess > 0; at--) {
    if (!columns[at]!.yields) continue;
    const given = Math.min(excess, Math.max(0, fitted[at]! - NARROWEST));
    fitted[at] = fitted[at]! - given;
    excess -= given;
  }
  return fitted;
}
