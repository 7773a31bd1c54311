import type { AnswerOf } from '@palimpsest/protocol';
import { counted } from './amount.js';
import { harmlessLines } from './harmless.js';
import type { Style } from './style.js';

const SHORT_ID = 12;

export function notesText({ notes }: AnswerOf<'writeNotes'>, when: 'dry-run' | 'done', { paint }: Style): string {
  const of = (state: (typeof notes)[number]['state']) => notes.filter((note) => note.state === state);
  const id = (commit: string) => paint.name(commit.slice(0, SHORT_ID));
  const texts = of('written').map(({ commit, text }) =>
    when === 'dry-run' ? `${id(commit)}\n${harmlessLines(text ?? '').trimEnd()}` : `${id(commit)} has a note now`,
  );
  const left = of('left').map(({ commit }) => `${id(commit)} had a note already, and keeps it`);
  const none = of('none').length;
  const sums = [
    ...(none === 0 ? [] : [`${counted(none, 'commit')} without a line of an agent`]),
    ...(when === 'dry-run' ? ['nothing was written; leave out --dry-run to do it'] : []),
  ];
  return [...texts, ...left, ...sums.map(paint.quiet)].join('\n') || 'there is no such commit';
}
