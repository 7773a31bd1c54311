import { Option } from 'commander';
import type { CommandFile } from '../../cli/command.js';
import { clientOf, said } from '../../face/client.js';
import type { Face } from '../../face/face.js';
import { EXIT } from '../../face/failure.js';
import { type RestoreJson, restoreText } from '../../print/checkpoints.js';
import { harmless } from '../../print/harmless.js';
import { shortList } from '../../print/names.js';
import type { Style } from '../../print/style.js';

type Given = {
  readonly paths?: readonly string[];
  readonly mode?: 'files' | 'conversation' | 'both';
  readonly keepMine?: true;
  readonly dryRun?: true;
  readonly token?: string;
};

export const command: CommandFile = {
  summary: 'bring the tree, or some paths of it, back to a moment',
  section: 'Keep',
  details:
    'How everything is now is saved first, as a rescue checkpoint, and `pal undo` takes a restore back. Files that were never captured are not touched.',
  examples: [
    { line: 'pal checkpoint restore k12 --dry-run', does: 'see what would be written and deleted, and get a token' },
    { line: 'pal checkpoint restore k12 --token T', does: 'do exactly that plan, or nothing if the world has moved' },
    {
      line: 'pal checkpoint restore k12 --keep-mine',
      does: 'take back only what agents did since, around your own edits',
    },
    { line: 'pal checkpoint restore k12 --paths src lib', does: 'only these files and folders' },
  ],
  define: (self, act) =>
    self
      .argument('<id>', 'as `pal checkpoint list` shows it')
      .option('--paths <path...>', 'only these files and folders')
      .addOption(new Option('--mode <mode>', 'what to bring back').choices(['files', 'conversation', 'both']))
      .option('--keep-mine', 'take back only what agents did since')
      .option('--dry-run', 'say what would be done, and do nothing')
      .option('--token <token>', 'of a dry run')
      .action(
        act((face, id: string, given: Given) => (given.dryRun ? plan(face, id, given) : restore(face, id, given))),
      ),
};

async function plan(face: Face, id: string, given: Given) {
  const client = await clientOf(face);
  const answer = said(await client.planRestore({ params: { checkpoint: id }, body: requestOf(face, given) }));
  const next = `\`pal checkpoint restore ${id}${againText(given)} --token ${answer.token}\`\ndoes exactly this, or nothing if the world has moved`;
  const what = { ...answer, written: answer.writes, deleted: answer.deletes };
  const nothing = answer.writes.length + answer.deletes.length === 0 && answer.conversation === undefined;
  return {
    json: answer,
    text: (style: Style) =>
      restoreText(
        nothing ? alreadyText(id, given, answer, 'is') : `restoring ${id} would`,
        what,
        'dry-run',
        nothing ? null : next,
        style,
      ),
  };
}

async function restore(face: Face, id: string, given: Given) {
  const client = await clientOf(face);
  const body = { ...requestOf(face, given), token: given.token };
  const answer = said(await client.restoreCheckpoint({ params: { checkpoint: id }, body }));
  const first =
    answer.rescue === null
      ? alreadyText(id, given, answer, 'was')
      : `restored ${id}; how it was before is ${answer.rescue}`;
  return {
    json: answer,
    text: (style: Style) =>
      restoreText(first, answer, 'done', answer.rescue === null ? null : '`pal undo` takes this back', style),
    exit: answer.conflicts.length > 0 ? EXIT.moved : EXIT.done,
  };
}

/** There is nothing to write; that is not to say that there is no difference. */
function alreadyText(
  id: string,
  { paths }: Given,
  { conflicts, left }: Pick<RestoreJson, 'conflicts' | 'left'>,
  tense: 'is' | 'was',
) {
  const but = conflicts.length + left.length === 0 ? 'everything' : 'everything that can be brought back';
  const where = paths === undefined ? '' : ` under ${shortList(paths).join(' ')}`;
  return `${but}${where} ${tense} as in ${id} already`;
}

/** A token is of one plan: what it was made with has to be said again. */
function againText({ paths = [], mode, keepMine }: Given): string {
  return [
    ...(keepMine === true ? [' --keep-mine'] : []),
    ...(mode === undefined ? [] : [` --mode ${mode}`]),
    ...(paths.length === 0 ? [] : [` --paths ${paths.map(quoted).join(' ')}`]),
  ].join('');
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${harmless(path).replaceAll("'", `'\\''`)}'`;
}

function requestOf(face: Face, { paths, mode, keepMine }: Given) {
  const { PATH: path } = face.surroundings.environment;
  return {
    paths: paths?.map(face.resolve),
    mode,
    keepMine,
    ...(mode === undefined || mode === 'files' ? {} : { path }),
  };
}
