import type { ChangeJson } from '@palimpsest/protocol';
import { estimatedRows, type Row, rowsOf } from '../diff/rows.js';
import { type SideRow, sideBySide } from '../diff/sides.js';
import type { ShownText } from '../link/contents.js';
import type { Group, Grouping } from './grouping.js';

/** Everything that stands below each other in the review, each with its height: so that only what is seen is made. */
export type Item = { readonly key: string; readonly height: number } & ItemBody;
type ItemBody =
  | { readonly kind: 'group'; readonly group: Group }
  | { readonly kind: 'change'; readonly change: ChangeJson }
  | { readonly kind: 'row'; readonly change: ChangeJson; readonly texts: Texts; readonly row: Row }
  | { readonly kind: 'sides'; readonly change: ChangeJson; readonly texts: Texts; readonly row: SideRow }
  | { readonly kind: 'waiting'; readonly change: ChangeJson }
  | { readonly kind: 'note'; readonly change: ChangeJson; readonly text: string }
  | { readonly kind: 'gap' };

export type Texts = { readonly before: ShownText; readonly after: ShownText };
/** What could be loaded of a change; a text says why it could not. */
export type Loaded = ReadonlyMap<string, Texts | string>;

export const LINE = 20;
const [GROUP, CHANGE, HUNK, NOTE, GAP] = [52, 44, 34, 40, 14];
/** A diff with more lines than this is shown only when it is asked for. */
export const LARGE = 20_000;

export type Shape = {
  readonly by: Grouping;
  readonly sides: boolean;
  readonly loaded: Loaded;
  /** Ids of changes of which only the header is shown. */
  readonly folded: ReadonlySet<string>;
  /** For a change, the folds of unchanged lines that were opened. */
  readonly opened: ReadonlyMap<string, ReadonlySet<number>>;
};

export function itemsOf(groups: readonly Group[], shape: Shape): readonly Item[] {
  const items: Item[] = [];
  for (const group of groups) {
    items.push({ kind: 'group', key: `g ${group.key}`, height: GROUP, group });
    for (const change of group.changes) {
      items.push({ kind: 'change', key: change.id, height: CHANGE, change });
      if (!shape.folded.has(change.id)) pushBody(items, change, shape);
      items.push({ kind: 'gap', key: `${change.id} gap`, height: GAP });
    }
  }
  return items;
}

function pushBody(items: Item[], change: ChangeJson, { sides, loaded, opened }: Shape): void {
  const note = noteOn(change);
  if (note !== null) items.push({ kind: 'note', key: `${change.id} note`, height: NOTE, change, text: note });
  if (change.binary || change.hunks.length === 0) return;
  const texts = loaded.get(change.id);
  if (texts === undefined) {
    items.push({ kind: 'waiting', key: `${change.id} waiting`, height: estimatedRows(change) * LINE, change });
    return;
  }
  if (typeof texts === 'string') {
    items.push({ kind: 'note', key: `${change.id} why`, height: NOTE, change, text: texts });
    return;
  }
  const rows = rowsOf(change, texts.before, texts.after, opened.get(change.id));
  if (sides)
    for (const [index, row] of sideBySide(rows).entries())
      items.push({ kind: 'sides', key: `${change.id} ${index}`, height: heightOf(row), change, texts, row });
  else
    for (const [index, row] of rows.entries())
      items.push({ kind: 'row', key: `${change.id} ${index}`, height: heightOf(row), change, texts, row });
}

function heightOf(row: Row | SideRow): number {
  return row.kind === 'hunk' ? HUNK : row.kind === 'fold' ? 28 : LINE;
}

/** What a diff of lines does not show. */
function noteOn(change: ChangeJson): string | null {
  const { before, after, binary } = change;
  if (!change.reversible) return 'What was there before is not kept: this cannot be taken back.';
  if (binary) return `Binary: ${sizeOf(before)} before, ${sizeOf(after)} after.`;
  if (before !== null && after !== null && before.mode !== after.mode)
    return `The mode changed from ${before.mode} to ${after.mode}.`;
  if (change.hunks.length > 0) return null;
  return change.kind === 'rename' ? 'Renamed; the text is the same.' : 'An empty file.';
}

function sizeOf(version: ChangeJson['before']): string {
  return version === null ? 'nothing' : `${version.size.toLocaleString('en')} bytes`;
}

/** The hunks in the order in which they are shown, for going from one to the next. */
export function hunksIn(groups: readonly Group[], folded: ReadonlySet<string>): readonly HunkPlace[] {
  return groups.flatMap(({ changes }) =>
    changes.flatMap((change): HunkPlace[] =>
      change.hunks.length === 0 || folded.has(change.id)
        ? [{ change, hunk: null }]
        : change.hunks.filter(({ status }) => status === 'pending').map(({ id }) => ({ change, hunk: id })),
    ),
  );
}

/** A hunk, or a change that has none or does not show them. */
export type HunkPlace = { readonly change: ChangeJson; readonly hunk: string | null };
