import type { StaleJson } from '@palimpsest/protocol';
import { harmless } from './harmless.js';
import { shortList } from './names.js';
import type { Paint } from './paint.js';
import type { Style } from './style.js';
import { type Column, table } from './table.js';
import { ago } from './time.js';

/** What each session saw of each file, against what is there now. */
export function staleText(files: readonly StaleJson[], style: Style): string {
  if (files.length === 0) return `no session that runs has been shown a file (${style.steps.showEnded})`;
  const { paint, now } = style;
  const columns: readonly Column<StaleJson>[] = [
    {
      title: 'STATE',
      text: ({ state, visible }) => (visible ? state : `${state} (out of sight)`),
      paint: ({ state }) => paintOfState(state, paint),
    },
    { title: 'PATH', yields: true, text: ({ path }) => harmless(path) },
    { title: 'LINES', yields: true, text: linesText },
    { title: 'SEEN', drops: 1, text: ({ seen }) => ago(seen.at, now), paint: () => paint.quiet },
    { title: 'SESSION', yields: true, text: ({ session }) => harmless(session), paint: () => paint.name },
  ];
  return table(columns, files, style);
}

/** The lines of the file that it has seen as they are now; of a file that is gone, those that it had seen. */
function linesText({ seen, now }: StaleJson): string {
  const lines = now === null ? seen.lines : now.lines;
  if (lines === undefined) return 'all';
  if (lines.length === 0) return 'none';
  return shortList(lines.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`))).join(', ');
}

export function paintOfState(state: StaleJson['state'], paint: Paint): (text: string) => string {
  switch (state) {
    case 'fresh':
      return paint.good;
    case 'stale':
    case 'missing':
      return paint.bad;
    case 'never-seen':
    case 'unverifiable':
      return paint.careful;
  }
}
