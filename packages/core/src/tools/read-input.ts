import type { LineRange } from '../ranges.js';
import { LAST_LINE } from '../ranges.js';
import type { FileIntent } from './file-intent.js';
import { type Fields, fieldsOf, listAt, numberAt, type ToolInput, textAt } from './input.js';
import { pathAt, pathFromText } from './path-input.js';

/** The files, and of each the lines, that a read tool asks for. A pattern names no file. */
export function readIntents(spelling: string, input: ToolInput): readonly FileIntent[] {
  if (input.kind === 'nothing') return [];
  if (input.kind === 'text') return readsOf(pathFromText(input.text), []);
  const list = listAt(input.fields, 'files', 'file', 'paths', 'filepaths', 'include', 'items');
  if (list !== undefined) return list.flatMap((item) => readsOfItem(spelling, item));
  return readsOf(pathAt(input.fields), rangesOf(spelling, input.fields));
}

function readsOfItem(spelling: string, item: unknown): readonly FileIntent[] {
  if (typeof item === 'string') return /[*?[\]{}]/.test(item) ? [] : readsOf(item, []);
  const fields = fieldsOf(item);
  return readsOf(pathAt(fields), rangesOf(spelling, fields));
}

function readsOf(path: string | undefined, ranges: readonly LineRange[]): readonly FileIntent[] {
  if (path === undefined || path === '') return [];
  if (ranges.length === 0) return [{ path, access: 'read' }];
  return ranges.map((lines) => ({ path, access: 'read', lines }));
}

function rangesOf(spelling: string, fields: Fields): readonly LineRange[] {
  const listed = listAt(fields, 'lineranges', 'ranges')?.flatMap(rangeOfItem);
  if (listed !== undefined && listed.length > 0) return listed;
  const view = listAt(fields, 'viewrange', 'linerange');
  if (view !== undefined) return rangeOfItem(view);
  const spoken = textAt(fields, 'linerange', 'lines');
  if (spoken !== undefined) return rangeOfItem(spoken);
  const from = numberAt(fields, 'startline', 'start', 'fromline');
  const to = numberAt(fields, 'endline', 'end', 'toline');
  if (from !== undefined || to !== undefined) return range(from ?? 1, to ?? LAST_LINE);
  return rangeOfOffset(spelling, numberAt(fields, 'offset'), numberAt(fields, 'limit'));
}

function rangeOfItem(item: unknown): readonly LineRange[] {
  if (typeof item === 'string') {
    const spoken = /^\s*(\d+)\s*(?:[-:,]\s*(\d+))?\s*$/.exec(item);
    return spoken === null ? [] : range(Number(spoken[1]), Number(spoken[2] ?? spoken[1]));
  }
  const fields = fieldsOf(item);
  const [from, to] = Array.isArray(item)
    ? item
    : [numberAt(fields, 'startline', 'start', 'from'), numberAt(fields, 'endline', 'end', 'to')];
  if (typeof from !== 'number') return [];
  return range(from, typeof to === 'number' && to >= 0 ? to : LAST_LINE);
}

/**
 * `offset` counts from 1 in Claude's Read, from 0 in some others, and both in different versions of the same agent. Where
 * the call does not tell, only the lines that both readings show are claimed.
 */
function rangeOfOffset(spelling: string, offset: number | undefined, limit: number | undefined): readonly LineRange[] {
  if (offset === undefined && limit === undefined) return [];
  const start = offset ?? 0;
  const end = (base: number) => (limit === undefined ? LAST_LINE : base + limit - 1);
  if (start <= 0) return range(1, end(1));
  if (spelling === 'Read') return range(start, end(start));
  return range(start + 1, end(start));
}

function range(from: number, to: number): readonly LineRange[] {
  const first = Math.max(1, from);
  return to < first ? [] : [{ from: first, to }];
}
