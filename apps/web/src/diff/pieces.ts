import type { Range } from './words.js';

/** A part of a line that looks the same throughout. */
export type Piece = { readonly text: string; readonly colour: string | null; readonly marked: boolean };

/** Colours as the highlighter told them: each a length and the name of what it is. They may end before the line does. */
export type Colours = readonly (readonly [length: number, colour: string | null])[];

/** Cuts a line wherever its colour or its mark changes. */
export function piecesOf(text: string, colours: Colours, marks: readonly Range[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const [length, colour] of [...colours, [text.length, null] as const]) {
    const end = Math.min(at + length, text.length);
    while (at < end) {
      const mark = marks.find(([, to]) => to > at);
      const marked = mark !== undefined && mark[0] <= at;
      const until = mark === undefined ? end : Math.min(end, marked ? mark[1] : mark[0]);
      pieces.push({ text: text.slice(at, until), colour, marked });
      at = until;
    }
  }
  return pieces;
}
