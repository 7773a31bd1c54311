import { authorText } from '../print/changes.js';
import { harmless, harmlessLines } from '../print/harmless.js';
import type { Paint } from '../print/paint.js';
import { cut, padEnd, shorten, widthOf } from '../print/width.js';
import type { HunkPlace } from './hunk-place.js';
import { ESCAPE } from './keys.js';
import type { ReviewState } from './review-state.js';

export type Size = { readonly columns: number; readonly rows: number };

/** Two lines above the diff, and two below it. */
const FRAME = 4;
/** From this width on, the list stands beside the diff. */
const WIDE = 110;
const LIST = 36;

export function pageOf({ rows }: Size): number {
  return Math.max(1, rows - FRAME);
}

/** Exactly as many lines as the terminal has, none wider than it. */
export function screenOf(state: ReviewState, size: Size, paint: Paint): readonly string[] {
  const page = pageOf(size);
  const place = state.places[state.at];
  const wide = size.columns >= WIDE;
  const body = wide
    ? beside(listLines(state, LIST, page, paint), mainLines(state, size.columns - LIST - 3, page, paint), paint)
    : state.shows === 'list'
      ? listLines(state, size.columns, page, paint)
      : mainLines(state, size.columns, page, paint);
  const head = place === undefined ? ['pal review', ''] : headOf(state, place, size.columns, paint);
  return [...head, ...filled(body, page), bottomLine(state, size.columns, paint), keysLine(size.columns, paint)].slice(
    -size.rows,
  );
}

function headOf({ places, at }: ReviewState, place: HunkPlace, columns: number, paint: Paint): readonly string[] {
  const { change, hunk } = place;
  const where = hunk === null ? change.kind : `line ${hunk.newStart}`;
  const count = ` ${at + 1} of ${places.length}`;
  const path = shorten(harmless(change.movedTo ?? change.path), columns - widthOf(count) - where.length - 3);
  const first = `${paint.strong(path)} ${paint.quiet(where)}`;
  const room = columns - widthOf(path) - 1 - where.length - widthOf(count);
  return [
    `${first}${' '.repeat(Math.max(1, room))}${paint.quiet(count)}`,
    paint.quiet(
      cut(
        `${authorText(change)} · ${change.id}${change.fromPath === undefined ? '' : ` · was ${harmless(change.fromPath)}`}`,
        columns,
      ),
    ),
  ];
}

const HELP: readonly string[] = [
  'j k      next, previous hunk          n p   next, previous file',
  'a r      accept, reject the hunk      A R   accept, reject the change',
  'c        reject, and say why: the agent hears it',
  'u U      undo, redo',
  'up down, space, b: scroll             tab   the list of what waits',
  'g G      first, last                  q     leave; nothing is lost by it',
];

const HOW_ON = 'u undoes the last decision, q leaves';

function mainLines(state: ReviewState, columns: number, page: number, paint: Paint): readonly string[] {
  if (state.shows === 'help') return HELP.map((line) => cut(line, columns));
  const place = state.places[state.at];
  if (place === undefined)
    return ['', paint.good(cut('nothing waits for review', columns)), '', paint.quiet(cut(HOW_ON, columns))];
  const shown = place.lines.slice(state.scroll, state.scroll + page).map((line) => codeLine(line, columns, paint));
  const more = place.lines.length - state.scroll - page;
  return more <= 0 ? shown : [...shown.slice(0, -1), paint.quiet(cut(`… ${more + 1} more lines: space`, columns))];
}

function codeLine(line: string, columns: number, paint: Paint): string {
  const text = cut(harmlessLines(line).replaceAll('\t', '    '), columns);
  return line[0] === '+' ? paint.added(text) : line[0] === '-' ? paint.removed(text) : text;
}

function listLines({ places, at }: ReviewState, columns: number, page: number, paint: Paint): readonly string[] {
  const from = Math.max(0, Math.min(at - Math.floor(page / 2), places.length - page));
  return places.slice(from, from + page).map((place, index) => {
    const { change, hunk } = place;
    const line = hunk === null ? '' : `:${hunk.newStart}`;
    const path = shorten(harmless(change.movedTo ?? change.path), columns - line.length - 2);
    const text = `${path}${line}`;
    return from + index === at ? paint.name(`> ${text}`) : `  ${text}`;
  });
}

function beside(left: readonly string[], right: readonly string[], paint: Paint): readonly string[] {
  const rows = Math.max(left.length, right.length);
  return Array.from({ length: rows }, (_, index) => {
    const text = left[index] ?? '';
    return `${text}${' '.repeat(Math.max(0, LIST - shownWidth(text)))} ${paint.quiet('│')} ${right[index] ?? ''}`;
  });
}

const COLOURING = new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'g');

/** Without what only colours it. */
function shownWidth(text: string): number {
  return widthOf(text.replace(COLOURING, ''));
}

function filled(lines: readonly string[], rows: number): readonly string[] {
  return [...lines.slice(0, rows), ...Array.from({ length: Math.max(0, rows - lines.length) }, () => '')];
}

function bottomLine({ asks, message }: ReviewState, columns: number, paint: Paint): string {
  if (asks === null) return paint.careful(cut(harmless(message), columns));
  if (asks.kind === 'sure')
    return paint.careful(cut(`${harmless(asks.why)}  y does it, any other key leaves it`, columns));
  const question = 'why? ';
  const room = columns - question.length - 1;
  const tail = Array.from(harmless(asks.text)).slice(-Math.max(1, room)).join('');
  return `${paint.strong(question)}${tail}▏`;
}

function keysLine(columns: number, paint: Paint): string {
  return paint.quiet(
    padEnd(cut('a accept  r reject  c reject + why  j k move  u undo  tab list  ? keys  q leave', columns), columns),
  );
}
