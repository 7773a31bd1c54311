import { padEnd, padStart, shorten, widthOf } from './width.js';

/** `paint` colours a cell after it has been measured and padded, so that colours never disturb the columns. */
export type Cell = { readonly text: string; readonly paint?: (text: string) => string };
export type Column = {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** The column that gives way when a row is too wide for the terminal. */
  readonly yields?: true;
};
export type TableOptions = { readonly width: number | null; readonly paintTitle?: (text: string) => string };

/** Aligned columns, two spaces apart, no frames: easy on the eye and on `cut`. Cells must be harmless already. */
export function table(columns: readonly Column[], rows: readonly (readonly Cell[])[], options: TableOptions): string {
  const widths = fit(
    columns,
    columns.map((column, at) => Math.max(widthOf(column.title), ...rows.map((row) => widthOf(row[at]?.text ?? '')))),
    options.width,
  );
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

function fit(columns: readonly Column[], widths: readonly number[], room: number | null): readonly number[] {
  if (room === null) return widths;
  const excess = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (columns.length - 1) - room;
  if (excess <= 0) return widths;
  return widths.map((width, at) =>
    columns[at]!.yields ? Math.max(Math.min(width, NARROWEST), width - excess) : width,
  );
}
