import type { ChangeJson } from '@palimpsest/protocol';
import { authorText, pathsText } from './changes.js';
import { diffText } from './diff.js';
import { type Fact, factLines } from './facts.js';
import { withinWidth } from './folded.js';
import { harmless } from './harmless.js';
import type { Style } from './style.js';
import { ago } from './time.js';
import { filesText, type VerdictAnswerJson } from './verdict.js';

export type ConflictWords = {
  readonly change: ChangeJson;
  /** The changes that stand in the way. */
  readonly inTheWay: readonly ChangeJson[];
  /** From the file as it is to the file without the change; null where that is no text. */
  readonly sides: string | null;
};

/** For each: whose change, which hunks, what stands in the way, and both sides. */
export function conflictsText(conflicts: readonly ConflictWords[], style: Style): string {
  return [...conflicts.map((one) => conflictText(one, style)), settlingText(style)].join('\n\n');
}

function conflictText({ change, inTheWay, sides }: ConflictWords, style: Style): string {
  const { paint, now } = style;
  const hunks = change.hunks.filter(({ status }) => status === 'conflict').map(({ id }) => id);
  const facts: readonly Fact[] = [
    ['rejected', `${authorText(change)}, ${ago(change.at, now)}`],
    [hunks.length > 1 ? 'hunks' : 'hunk', hunks.length === 0 ? undefined : hunks.join(' ')],
    ['because', harmless(change.conflict?.reason ?? 'it does not merge')],
    ...inTheWay.map((other) => ['edit', `${other.id} by ${authorText(other)}, ${ago(other.at, now)}`] as const),
  ];
  return [
    withinWidth(`${paint.bad(change.id)} ${paint.strong(pathsText(change))}`, style.width),
    ...factLines(facts, 9, style),
    ...(sides === null ? [] : ['', diffText(sides, paint).trimEnd()]),
  ].join('\n');
}

function settlingText({ paint }: Style): string {
  return [
    `${paint.removed('-')} is how it is now:                pal resolve CHANGE --take mine`,
    `${paint.added('+')} is how it is without the change: pal resolve CHANGE --take theirs`,
    '  as the agent left it:            pal resolve CHANGE --take agent',
    '  both in your editor:             pal resolve CHANGE --edit',
  ].join('\n');
}

type ResolvedJson = Pick<VerdictAnswerJson, 'written' | 'deleted' | 'cascaded'> & {
  readonly resolved: string;
  readonly path: string;
};

export function resolvedText(
  answer: ResolvedJson,
  take: 'mine' | 'agent' | 'ours' | 'theirs' | undefined,
  how: 'done' | 'dry-run',
  { paint, steps }: Style,
): string {
  const { resolved, path, cascaded, written } = answer;
  const would = how === 'dry-run' ? 'would be ' : '';
  const what = `the conflict of ${harmless(resolved)} in ${harmless(path)}: ${TAKEN[take ?? 'edited']}`;
  return [
    paint.good(`${would}settled  ${what}`),
    ...(written.length === 0 ? ['the file stays as it is'] : filesText(answer, how)),
    ...(cascaded.length === 0 ? [] : [`with it  ${cascaded.map(harmless).join(' ')}`]),
    ...(how === 'done' ? [paint.quiet(steps.undo)] : []),
  ].join('\n');
}

const TAKEN = {
  mine: 'as it is',
  ours: 'as it is',
  agent: 'as the agent left it',
  theirs: 'without the change',
  edited: 'with a text of your own',
} as const;
