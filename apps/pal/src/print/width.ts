/** How many columns a text takes on a terminal. It is expected to be harmless already: no control characters. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes().segment(text)) width += widthOfGrapheme(segment);
  return width;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(text))) + text;
}

/** Shortens to at most `width` columns by taking out the middle: both ends of a path tell more than its centre. */
export function shorten(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width <= 1) return width <= 0 ? '' : ELLIPSIS;
  const parts = [...graphemes().segment(text)].map(({ segment }) => segment);
  const room = width - 1;
  const head = takeWhileFits(parts, Math.floor(room / 2));
  const tail = takeWhileFits(parts.toReversed(), room - widthOf(head.join(''))).toReversed();
  return `${head.join('')}${ELLIPSIS}${tail.join('')}`;
}

/** Shortens by taking off the end: of a sentence or a line of code the beginning tells more. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const parts = [...graphemes().segment(text)].map(({ segment }) => segment);
  return width <= 0 ? '' : `${takeWhileFits(parts, width - 1).join('')}${ELLIPSIS}`;
}

const ELLIPSIS = '…';
const PLAIN = /^[\x20-\x7e]*$/;
let segmenter: Intl.Segmenter | null = null;

/** Made when it is first needed: it takes longer to make than a hook takes to answer. */
function graphemes(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter;
}

/** East Asian wide and full-width blocks; emoji are found by their own property. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

function widthOfGrapheme(grapheme: string): number {
  if (NO_WIDTH.test(grapheme)) return 0;
  return WIDE.test(grapheme) || EMOJI.test(grapheme) ? 2 : 1;
}

function takeWhileFits(parts: readonly string[], width: number): string[] {
  const taken: string[] = [];
  let used = 0;
  for (const part of parts) {
    used += widthOfGrapheme(part);
    if (used > width) break;
    taken.push(part);
  }
  return taken;
}
