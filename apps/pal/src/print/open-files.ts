import type { AnswerOf, BodyOf, OpenFileJson } from '@palimpsest/protocol';
import { counted } from './amount.js';
import { harmless } from './harmless.js';
import { severalNames, shortList } from './names.js';
import type { Style } from './style.js';
import { type Column, table } from './table.js';
import { ago } from './time.js';

const NONE = 'no file is open; agents open what they read and write';

export function openFilesText(files: readonly OpenFileJson[], style: Style): string {
  if (files.length === 0) return NONE;
  const { paint, now } = style;
  const columns: readonly Column<OpenFileJson>[] = [
    { title: '', text: ({ pinned }) => (pinned ? 'pinned' : ''), paint: () => paint.good },
    { title: 'PATH', yields: true, text: ({ path, missing }) => `${harmless(path)}${missing ? ' (missing)' : ''}` },
    { title: 'LAST', text: ({ by }) => WORDS[by], paint: () => paint.quiet },
    { title: 'WHEN', text: ({ lastViewedAt }) => ago(lastViewedAt, now), paint: () => paint.quiet },
    { title: 'SESSION', yields: true, text: sessionsText, paint: () => paint.name },
  ];
  const some = files.some(({ pinned }) => pinned);
  return table(some ? columns : columns.slice(1), files, style);
}

const WORDS: Readonly<Record<OpenFileJson['by'], string>> = {
  command: 'opened',
  read: 'read',
  mention: 'mentioned',
  write: 'written',
  search: 'found',
};

function sessionsText({ sessions }: OpenFileJson): string {
  return sessions.length === 0 ? 'all' : shortList(sessions.map(harmless)).join(', ');
}

type Set = AnswerOf<'setOpenFiles'>;
const DONE: Readonly<Record<BodyOf<'setOpenFiles'>['act'], string>> = {
  open: 'opened',
  pin: 'pinned',
  unpin: 'unpinned',
  close: 'closed',
  clear: 'closed all but the pinned ones',
};

export function openFilesChangeText(
  act: keyof typeof DONE,
  { paths, evicted, beyond, files }: Set,
  style: Style,
): string {
  const pinned = files.filter((file) => file.pinned).length;
  const done =
    act === 'clear'
      ? files.length === 0
        ? 'closed all'
        : DONE.clear
      : `${DONE[act]} ${severalNames(paths.map(harmless))}`;
  const open = `${counted(files.length, 'file')} open${pinned === 0 ? '' : `, ${pinned} of them pinned`}`;
  return [
    `${done}; ${style.paint.quiet(open)}`,
    ...(evicted.length === 0 ? [] : [`closed to make room: ${severalNames(evicted.map(harmless))}`]),
    ...(beyond === 0 ? [] : [`${beyond} more fit, and there is no room for them; \`--pin\` opens up to 200`]),
  ].join('\n');
}
