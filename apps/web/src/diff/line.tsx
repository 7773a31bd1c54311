import { memo } from 'react';
import type { ShownText } from '../link/contents.js';
import { harmless } from './harmless.js';
import { type Colours, piecesOf } from './pieces.js';
import type { Row } from './rows.js';
import type { SideLine, SideRow } from './sides.js';
import { type Range, wordMarks } from './words.js';

/** Longer lines are cut: a browser that lays out a megabyte in one line shows nothing for seconds. */
const LONGEST = 2_000;

type Texts = { readonly before: ShownText; readonly after: ShownText };

/** A line of one text: its number, and what it holds. */
export const Code = memo(function Code(props: {
  readonly text: string;
  readonly colours: Colours;
  readonly marks: readonly Range[];
}) {
  const { text } = props;
  const shown = text.length > LONGEST ? text.slice(0, LONGEST) : text;
  const pieces = piecesOf(shown, props.colours, props.marks);
  return (
    <code>
      {pieces.map((piece, index) => {
        const name = `${piece.colour === null ? '' : `h-${piece.colour}`}${piece.marked ? ' marked' : ''}`;
        return name === '' ? (
          harmless(piece.text)
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity than their place.
          <span key={index} className={name}>
            {harmless(piece.text)}
          </span>
        );
      })}
      {text.length > LONGEST ? (
        <em className="cut">… {(text.length - LONGEST).toLocaleString('en')} more characters</em>
      ) : null}
    </code>
  );
});

const SIGNS = { same: ' ', removed: '-', added: '+' } as const;
const NAMES = { same: 'unchanged', removed: 'removed', added: 'added' } as const;

export function UnifiedLine(props: { readonly row: Row; readonly texts: Texts; readonly onNumber?: Numbering }) {
  const { row, texts, onNumber } = props;
  switch (row.kind) {
    case 'same':
    case 'removed':
    case 'added':
      return (
        <div className={`line ${row.kind}`}>
          <span className="number">{row.kind === 'added' ? '' : row.old}</span>
          {row.kind === 'removed' ? (
            <span className="number" />
          ) : (
            <LineNumber line={row.new} text={row.text} onNumber={onNumber} />
          )}
          <span className="sign" role="img" aria-label={NAMES[row.kind]}>
            {SIGNS[row.kind]}
          </span>
          <Code text={row.text} colours={coloursAt(row, texts)} marks={marksOn(row)} />
        </div>
      );
    case 'open-end':
      return <div className="line open-end">\ no line break at the end of the {row.side} text</div>;
    default:
      return null;
  }
}

export function PairedLines(props: {
  readonly row: Extract<SideRow, { kind: 'pair' }>;
  readonly texts: Texts;
  readonly onNumber?: Numbering;
}) {
  const { row, texts, onNumber } = props;
  return (
    <div className="pair">
      <Half line={row.left} side="old" texts={texts} onNumber={undefined} />
      <Half line={row.right} side="new" texts={texts} onNumber={onNumber} />
    </div>
  );
}

/** Where lines can be commented on: by the number that they have now. */
type Numbering = ((line: number, text: string) => void) | undefined;

function LineNumber(props: { readonly line: number; readonly text: string; readonly onNumber: Numbering }) {
  const { line, text, onNumber } = props;
  if (onNumber === undefined) return <span className="number">{line}</span>;
  return (
    <button
      type="button"
      className="number"
      tabIndex={-1}
      aria-label={`Comment on line ${line}`}
      onClick={() => onNumber(line, text)}
    >
      {line}
    </button>
  );
}

function Half(props: {
  readonly line: SideLine | null;
  readonly side: 'old' | 'new';
  readonly texts: Texts;
  readonly onNumber: Numbering;
}) {
  const { line, side, texts, onNumber } = props;
  if (line === null) return <div className="line none" />;
  const number = side === 'old' ? ('old' in line ? line.old : 0) : 'new' in line ? line.new : 0;
  return (
    <div className={`line ${line.kind}`}>
      <LineNumber line={number} text={line.text} onNumber={onNumber} />
      <Code text={line.text} colours={coloursAt(line, texts)} marks={marksOn(line)} />
    </div>
  );
}

const NONE: Colours = [];

function coloursAt(row: SideLine, { before, after }: Texts): Colours {
  return (row.kind === 'removed' ? before.colours[row.old - 1] : after.colours[row.new - 1]) ?? NONE;
}

const marked = new WeakMap<Row, readonly Range[]>();
const UNMARKED: readonly Range[] = [];

function marksOn(row: SideLine): readonly Range[] {
  if (row.kind === 'same' || row.beside === null) return UNMARKED;
  const known = marked.get(row);
  if (known !== undefined) return known;
  const isOld = row.kind === 'removed';
  const marks = isOld ? wordMarks(row.text, row.beside) : wordMarks(row.beside, row.text);
  const found = marks === null ? UNMARKED : isOld ? marks.old : marks.new;
  marked.set(row, found);
  return found;
}
