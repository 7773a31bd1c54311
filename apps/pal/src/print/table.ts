import type { Style } from './style.js';
import { padEnd, padStart, shorten, widthOf } from './width.js';

export type Column<Row> = {
  readonly title: string;
  /** Must be harmless already. */
  readonly text: (row: Row) => string;
  /** Colours a cell after it has been measured and padded, so that colours never disturb the columns. */
  readonly paint?: (row: Row) => Painting;
  readonly align?: 'right';
  /** Gives way when a row is too wide for the terminal. */
  readonly yields?: true;
  /** Is left out when all that yield have given way and a row is still too wide; the greatest goes first. */
  readonly drops?: number;
};

/** Aligned columns, two spaces apart, no frames: easy on the eye and on `cut`. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], style: TableStyle): string {
  const natural = columns.map(({ title, text }) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(text(row))), widthOf(title)),
  );
  const widths = fit(columns, natural, style.width);
  if (style.width !== null && totalOf(widths) > style.width) {
    const least = Math.max(...columns.map(({ drops = 0 }) => drops));
    const at = least === 0 ? -1 : columns.findIndex(({ drops }) => drops === least);
    if (at >= 0) return table(columns.toSpliced(at, 1), rows, style);
  }
  const line = (cell: (column: Column<Row>) => string, paint: (column: Column<Row>) => Painting) =>
    columns
      .map((column, at) => {
        const text = shorten(cell(column), widths[at]!);
        const last = at === columns.length - 1 && column.align !== 'right';
        const padded = last ? text : column.align === 'right' ? padStart(text, widths[at]!) : padEnd(text, widths[at]!);
        return paint(column)?.(padded) ?? padded;
      })
      .join(GAP)
      .trimEnd();
  const titles = line(
    ({ title }) => title,
    () => style.paint.quiet,
  );
  const lines = rows.map((row) =>
    line(
      ({ text }) => text(row),
      ({ paint }) => paint?.(row),
    ),
  );
  return [titles, ...lines].join('\n');
}

type Painting = ((text: string) => string) | undefined;
type TableStyle = Pick<Style, 'width' | 'paint'>;

const GAP = '  ';
const NARROWEST = 12;

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);
}

/** The last of the columns that yield gives way first: what a row is about stands further left. */
function fit(
  columns: readonly Pick<Column<never>, 'yields'>[],
  widths: readonly number[],
  room: number | null,
): readonly number[] {
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
