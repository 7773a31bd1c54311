import type { StaleJson } from '@palimpsest/protocol';
import { harmless } from './harmless.js';
import { shortList } from './names.js';
import type { Paint } from './paint.js';
import type { Style } from './style.js';
import { type Cell, table } from './table.js';
import { ago } from './time.js';

/** What each session saw of each file, against what is there now. */
export function staleText(files: readonly StaleJson[], style: Style): string {
  if (files.length === 0) return `no session that runs has been shown a file (${style.steps.showEnded})`;
  const columns = [
    { title: 'STATE' },
    { title: 'PATH', yields: true as const },
    { title: 'LINES', yields: true as const },
    { title: 'SEEN', drops: 1 },
    { title: 'SESSION', yields: true as const },
  ];
  const rows = files.map((file): readonly Cell[] => [
    { text: file.visible ? file.state : `${file.state} (out of sight)`, paint: paintOfState(file.state, style.paint) },
    { text: harmless(file.path) },
    { text: linesText(file) },
    { text: ago(file.seen.at, style.now), paint: style.paint.quiet },
    { text: harmless(file.session), paint: style.paint.name },
  ]);
  return table(columns, rows, { width: style.width, paintTitle: style.paint.quiet });
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
