import type { ContextJson } from '@palimpsest/protocol';
import { counted } from './amount.js';
import { harmless, harmlessLines } from './harmless.js';
import type { Style } from './style.js';

/** For people: each block under a line that says what it is, why it is in and what it costs. */
export function contextView(
  { session, blocks, tokens, budget, omitted, incomplete }: ContextJson,
  style: Style,
): string {
  const { paint } = style;
  const told = blocks.map(({ kind, reason, tokens: cost, path, text }) => {
    const title = `${TITLES[kind]}${path === undefined ? '' : ` ${harmless(path)}`}`;
    const about = paint.quiet(`(${harmless(reason)}; ${counted(cost, 'token')})`);
    return `${paint.name(`== ${title}`)} ${about}\n${harmlessLines(text).trimEnd()}\n`;
  });
  const left = omitted.map(
    ({ kind, path, why }) => `  ${TITLES[kind]}${path === undefined ? '' : ` ${harmless(path)}`}: ${why}`,
  );
  const whose = session === null ? 'no session' : `session ${harmless(session)}`;
  return [
    ...told,
    ...(left.length === 0 ? [] : ['left out:', ...left]),
    ...(incomplete ? ['not all files could be searched in time; ask again for more'] : []),
    `${counted(tokens, 'token')} of ${budget}, for ${whose}${blocks.length === 0 ? ': nothing to add' : ''}`,
  ].join('\n');
}

const TITLES: Readonly<Record<ContextJson['blocks'][number]['kind'], string>> = {
  notices: 'notices',
  'open-file': 'open file',
  'patch-summary': 'patches',
  patch: 'diff of',
  'git-summary': 'git summary',
  'git-diff': 'git diff',
  found: 'found',
};

/** For a model: the blocks and nothing else. */
export function contextText({ blocks }: { readonly blocks: readonly { readonly text: string }[] }): string {
  return blocks.map(({ text }) => text).join('\n');
}
