import type { ChangeJson, DecisionJson } from '@palimpsest/protocol';
import { authorText, pathsText } from './changes.js';
import { fitting } from './folded.js';
import { harmless } from './harmless.js';
import { severalNames, shortList } from './names.js';
import type { Steps } from './steps.js';
import type { Style } from './style.js';
import { ago } from './time.js';

export type VerdictAnswerJson = {
  readonly paths: readonly string[];
  readonly already: readonly string[];
  readonly cascaded: readonly string[];
  readonly conflicts: readonly string[];
  readonly left: readonly { readonly id: string; readonly why: string }[];
  readonly written: readonly string[];
  readonly deleted: readonly string[];
};

/** What was decided, what went with it, what could not be, and which files were written. */
export function verdictText(
  verb: 'accepted' | 'rejected',
  ids: readonly string[],
  answer: VerdictAnswerJson,
  how: 'done' | 'dry-run',
  style: Style,
): string {
  const { already, cascaded, conflicts, left } = answer;
  const fresh = ids.filter((id) => !already.includes(id));
  const would = how === 'dry-run' ? 'would be ' : '';
  const list = (items: readonly string[]) => shortList(items).join(' ');
  return [
    ...decidedText(verb, { fresh, would }, answer, style),
    ...(cascaded.length === 0 ? [] : [`with them  ${list(cascaded)} ${style.paint.quiet('(they rest on that text)')}`]),
    ...filesText(answer, how),
    ...leftText(left, style).map(style.paint.careful),
    ...(conflicts.length === 0
      ? []
      : [
          style.paint.bad(`conflict  ${list(conflicts)}: something that came later is in the way, and stays`),
          `  → ${style.steps.settle}`,
        ]),
    ...(how === 'done' && fresh.length > 0 ? [style.paint.quiet(style.steps.undo)] : []),
  ].join('\n');
}

function decidedText(
  verb: 'accepted' | 'rejected',
  { fresh, would }: { readonly fresh: readonly string[]; readonly would: string },
  { already, conflicts, left, paths }: VerdictAnswerJson,
  style: Style,
): readonly string[] {
  const list = (items: readonly string[]) => shortList(items).join(' ');
  const before = `${list(already)} in ${severalNames(paths)} ${already.length === 1 ? 'was' : 'were'} ${verb} before`;
  if (fresh.length > 0)
    return [
      `${style.paint.good(`${would}${verb}  ${list(fresh)}`)} in ${severalNames(paths)}`,
      ...(already.length === 0 ? [] : [`${verb} before  ${list(already)}`]),
    ];
  if (already.length > 0) return [`nothing ${would}${verb}: ${before}`];
  return [`nothing ${would}${verb}${conflicts.length + left.length === 0 ? ': nothing of it is pending' : ''}`];
}

/** Which files are other than they were, and which are gone. */
export function filesText(
  { written, deleted }: Pick<VerdictAnswerJson, 'written' | 'deleted'>,
  how: 'done' | 'dry-run',
): readonly string[] {
  const gone = new Set(deleted);
  const there = written.filter((path) => !gone.has(path));
  const [wrote, removed] = how === 'dry-run' ? ['would write', 'would remove'] : ['written', 'removed'];
  return [
    ...(there.length === 0 ? [] : [`${wrote}  ${shortList(there).join(' ')}`]),
    ...(deleted.length === 0 ? [] : [`${removed}  ${shortList(deleted).join(' ')}`]),
  ];
}

/** One line for each reason, however many it is the reason for. */
function leftText(left: VerdictAnswerJson['left'], { steps }: Style): readonly string[] {
  return [...new Set(left.map(({ why }) => why))].map((why) => {
    const ids = left.filter((each) => each.why === why).map(({ id }) => id);
    return `left as it is  ${shortList(ids).join(' ')}: ${WHY[why]?.(steps) ?? harmless(why)}`;
  });
}

const WHY: Readonly<Record<string, (steps: Steps) => string>> = {
  'file-in-conflict': () => 'another change of the same file is in conflict',
  'not-reversible': () => 'what was there before was not kept: too large, or gone before it could be read',
  'perhaps-anothers': ({ attribute }) => `it may be another’s as well; name it to decide it, or ${attribute}`,
  'perhaps-a-persons': ({ attribute }) => `a person may have made it; name it to reject it, or ${attribute}`,
  'accepted-before': () => 'accepted before; name it to reject it as well',
  'rejected-before': () => 'rejected before; name it to have it back',
  'call-running': () => 'a running call has written the file; try again when it has ended',
};

export function undoText(
  verb: 'undone' | 'redone',
  answer: Pick<VerdictAnswerJson, 'written' | 'deleted'> & {
    readonly kind: string;
    readonly operation: number;
    readonly passedOver: readonly number[];
    readonly decision: DecisionJson | null;
  },
  how: 'done' | 'dry-run',
  style: Style,
): string {
  const { decision } = answer;
  const what = decision === null ? `operation ${answer.operation}` : decisionText(decision, style);
  const first = `${how === 'dry-run' ? `would be ${verb}` : verb}: ${what}`;
  const stays = answer.passedOver.map(
    (operation) => `operation ${operation} stays: bytes that taking it back needs were forgotten`,
  );
  return [fitting(first, 0, style.width), ...stays, ...filesText(answer, how)].join('\n');
}

/** `the rejection of c7.1 in src/a.ts, 3 min ago (operation 16)` */
function decisionText(decision: DecisionJson, style: Style): string {
  const { ids, paths, at, seq } = decision;
  const where = paths.length === 0 ? '' : ` in ${severalNames(paths)}`;
  const about = ids.length === 0 ? '' : ` ${severalNames(ids, ' ')}`;
  return `${DECISIONS[decision.kind](decision)}${about}${where}, ${ago(at, style.now)} (operation ${seq})`;
}

const DECISIONS: Readonly<Record<DecisionJson['kind'], (decision: DecisionJson) => string>> = {
  attributed: () => 'saying whose it was:',
  decided: ({ verdict }) => `the ${verdict === 'accept' ? 'acceptance' : 'rejection'} of`,
  resolved: () => 'the settling of the conflict of',
  committed: () => 'the acceptance, by a commit, of',
  restored: ({ checkpoint = '' }) => `the restore of ${harmless(checkpoint)}`,
};

export function attributedText(change: ChangeJson, style: Style): string {
  const what = `${change.id} ${pathsText(change)}`;
  return [
    style.paint.good(`${what} is by ${authorText(change)}, session ${harmless(change.session ?? '')}`),
    style.paint.quiet(style.steps.undo),
  ].join('\n');
}
