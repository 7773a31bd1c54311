import type { AnswerOf } from '@palimpsest/protocol';
import { counted } from './amount.js';
import { shortList } from './names.js';

export function forgottenText(what: Omit<AnswerOf<'forget'>, 'seq'>, when: 'dry-run' | 'done'): string {
  const { contents, calls, texts, onDisk, alsoIn, inGit } = what;
  const parts = [
    ...(contents.length === 0 ? [] : [counted(contents.length, 'content')]),
    ...(calls === 0 ? [] : [`the input of ${counted(calls, 'call')}`]),
    ...(texts === 0 ? [] : [counted(texts, 'text')]),
  ];
  const nothing = contents.length + calls + texts === 0;
  return [
    nothing
      ? 'it is nowhere in what is kept'
      : `${when === 'dry-run' ? 'would forget' : 'forgotten'}: ${parts.join(', ')}`,
    ...names('still in your files, which are not touched; the next save of one is kept again', onDisk),
    ...names(
      'what looks like a key of it is also in these, which are kept; `pal forget` them too if it is one',
      alsoIn,
    ),
    ...(inGit.length === 0
      ? []
      : [
          `your git repository has ${counted(inGit.length, 'of the contents', 'of the contents')}; that is not touched`,
        ]),
  ].join('\n');
}

function names(title: string, paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  return [`${title}: ${shortList(paths).join(' ')}`];
}
