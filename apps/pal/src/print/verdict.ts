import type { ChangeJson } from '@palimpsest/protocol';
import { counted } from './amount.js';
import { authorText, pathsText } from './changes.js';
import { harmless } from './harmless.js';
import type { Look } from './look.js';

export type VerdictAnswerJson = {
  readonly cascaded: readonly string[];
  readonly conflicts: readonly string[];
  readonly left: readonly { readonly id: string; readonly why: string }[];
  readonly written: readonly string[];
};

/** What was decided, what went with it, what could not be, and which files were written. */
export function verdictText(
  verb: 'accepted' | 'rejected',
  ids: readonly string[],
  answer: VerdictAnswerJson,
  how: 'done' | 'dry-run',
  look: Look,
): string {
  const { cascaded, conflicts, left, written } = answer;
  const would = how === 'dry-run' ? 'would be ' : '';
  const list = (items: readonly string[]) => items.map(harmless).join(' ');
  return [
    ids.length === 0 ? `nothing ${would}${verb}` : look.paint.good(`${would}${verb}  ${list(ids)}`),
    ...(cascaded.length === 0 ? [] : [`with them  ${list(cascaded)} ${look.paint.quiet('(they rest on that text)')}`]),
    ...(written.length === 0 ? [] : [`${how === 'dry-run' ? 'would write' : 'written'}  ${list(written)}`]),
    ...left.map(({ id, why }) => look.paint.careful(`left as it is  ${harmless(id)}: ${WHY[why] ?? harmless(why)}`)),
    ...(conflicts.length === 0
      ? []
      : [
          look.paint.bad(
            `conflict  ${list(conflicts)}: people have changed the same lines; the files are as they were`,
          ),
          '  → `pal conflicts` shows them, `pal resolve CHANGE --take ours|theirs` settles one',
        ]),
    ...(how === 'done' && ids.length > 0 ? [look.paint.quiet('`pal undo` takes this back')] : []),
  ].join('\n');
}

const WHY: Readonly<Record<string, string>> = {
  'file-in-conflict': 'another change of the same file is in conflict',
  'not-reversible': 'what was there before was not kept: too large, or gone before it could be read',
  'perhaps-anothers': 'it may be another’s as well; name it to decide it, or `pal attribute` it first',
  'call-running': 'a running call has written the file; try again when it has ended',
};

export function undoText(
  verb: 'undone' | 'redone',
  answer: {
    readonly kind: string;
    readonly operation: number;
    readonly written: readonly string[];
    readonly passedOver: readonly number[];
  },
  how: 'done' | 'dry-run',
): string {
  const what = verb === 'redone' ? 'what was undone' : (DECISIONS[answer.kind] ?? harmless(answer.kind));
  const first = `${how === 'dry-run' ? `would be ${verb}` : verb}: ${what} (operation ${answer.operation})`;
  const stays = answer.passedOver.map(
    (operation) => `\noperation ${operation} stays: bytes that taking it back needs were forgotten`,
  );
  const said = `${first}${stays.join('')}`;
  if (answer.written.length === 0) return said;
  return `${said}\n${counted(answer.written.length, 'file')} ${how === 'dry-run' ? 'would be written' : 'written'}: ${answer.written.map(harmless).join(' ')}`;
}

const DECISIONS: Readonly<Record<string, string>> = {
  attributed: 'saying whose a change was',
  decided: 'a verdict',
  resolved: 'the settling of a conflict',
  committed: 'an acceptance by commit',
  restored: 'a restore',
  undone: 'an undo',
};

export function attributedText(change: ChangeJson, look: Look): string {
  const what = `${change.id} ${pathsText(change)}`;
  return [
    look.paint.good(`${what} is by ${authorText(change)}, session ${harmless(change.session ?? '')}`),
    look.paint.quiet('`pal undo` takes this back'),
  ].join('\n');
}
