import { widthOf } from '../../apps/pal/src/print/width.js';

export const ESCAPE = '\x1b';

/** A terminal of 80 columns with what was typed and printed in it, as SVG: text, so that it can be read, diffed and copied. */
export function pictureOf(screen: string, title: string): string {
  const lines = screen.trimEnd().split('\n');
  const height = TOP + lines.length * LINE + MARGIN;
  const texts = lines.flatMap((line, index) => textOf(line, TOP + index * LINE));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}">`,
    `<title>${title}</title>`,
    `<rect width="${WIDTH}" height="${height}" rx="8" fill="${COLOURS.background}"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map(
      (colour, index) => `<circle cx="${MARGIN + 6 + index * 20}" cy="${MARGIN + 2}" r="6" fill="${colour}"/>`,
    ),
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" fill="${COLOURS.text}">`,
    ...texts,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

const INK_CHANGE = new RegExp(`${ESCAPE}\\[([\\d;]*)m`);
const COLUMNS = 80;
const COLUMN = 8.4;
const LINE = 19;
const MARGIN = 16;
const TOP = 52;
const WIDTH = COLUMNS * COLUMN + 2 * MARGIN;
const COLOURS = { background: '#1c1f26', text: '#d7dae0', quiet: '#848b98' } as const;
/** The colours that we print, by their codes. */
const INKS: Readonly<Record<string, string>> = {
  31: '#f47067',
  32: '#7fc77f',
  33: '#e5c07b',
  36: '#6cc7d6',
};

type Ink = { readonly colour: string | null; readonly bold: boolean; readonly dim: boolean };
const PLAIN: Ink = { colour: null, bold: false, dim: false };

/** Each run of one ink stands where its column is, whatever the width of the letters in the font that there is. */
function textOf(line: string, y: number): readonly string[] {
  const runs: string[] = [];
  let ink = PLAIN;
  let column = 0;
  // Every other one is the numbers of an escape sequence.
  for (const [index, part] of line.split(INK_CHANGE).entries()) {
    if (index % 2 === 1) {
      for (const code of part.split(';')) ink = inked(ink, code);
      continue;
    }
    for (const [word] of part.matchAll(/\S+(?: \S+)*| +/g)) {
      if (word.trim() !== '') runs.push(run(word, { column, ink }));
      column += widthOf(word);
    }
  }
  if (column > COLUMNS) throw new Error(`wider than ${COLUMNS} columns: ${line}`);
  return runs.length === 0 ? [] : [`<text y="${y}">${runs.join('')}</text>`];
}

function inked(ink: Ink, code: string): Ink {
  if (code === '' || code === '0') return PLAIN;
  if (code === '1') return { ...ink, bold: true };
  if (code === '2') return { ...ink, dim: true };
  if (code === '22') return { ...ink, bold: false, dim: false };
  if (code === '39') return { ...ink, colour: null };
  const colour = INKS[code];
  if (colour === undefined) throw new Error(`no ink for ${code}`);
  return { ...ink, colour };
}

function run(text: string, { column, ink }: { readonly column: number; readonly ink: Ink }): string {
  const fill = ink.colour ?? (ink.dim ? COLOURS.quiet : null);
  const style = `${fill === null ? '' : ` fill="${fill}"`}${ink.bold ? ' font-weight="bold"' : ''}`;
  const x = Math.round((MARGIN + column * COLUMN) * 10) / 10;
  return `<tspan x="${x}"${style}>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</tspan>`;
}
