import type { FlowConflictJson, WorktreeJson } from '@palimpsest/protocol';
import { counted } from './amount.js';
import { type Fact, factLines } from './facts.js';
import { harmless } from './harmless.js';
import type { Style } from './style.js';
import { type Column, table } from './table.js';
import { ago } from './time.js';

export function worktreesText(worktrees: readonly WorktreeJson[], style: Style): string {
  if (worktrees.length === 0) return 'no worktrees; `pal run --worktree review -- AGENT` starts an agent in one';
  const { paint, now } = style;
  const columns: readonly Column<WorktreeJson>[] = [
    { title: 'SESSION', yields: true, text: ({ session }) => harmless(session), paint: () => paint.name },
    { title: 'MODE', text: ({ mode }) => mode },
    {
      title: 'WAITING',
      align: 'right',
      text: (worktree) => String(waitingIn(worktree)),
      paint: (worktree) => (waitingIn(worktree) > 0 ? paint.careful : undefined),
    },
    { title: 'MADE', drops: 1, text: ({ madeAt }) => ago(madeAt, now), paint: () => paint.quiet },
    { title: 'FOLDER', yields: true, text: ({ path }) => harmless(path) },
  ];
  return table(columns, worktrees, style);
}

function waitingIn({ pending, unwatched, conflicts }: WorktreeJson): number {
  return pending.length + unwatched.length + conflicts.length;
}

export function worktreeText(worktree: WorktreeJson, style: Style): string {
  const { paint, now } = style;
  const { session, path, mode, portBase, base, madeAt, pending, unwatched, conflicts, apart } = worktree;
  const shared = apart.filter(({ ignored }) => !ignored).map((file) => file.path);
  const facts: readonly Fact[] = [
    ['folder', harmless(path)],
    ['mode', mode === 'auto' ? 'auto: what changes there comes at once' : 'review: what is accepted comes'],
    ['made', `${ago(madeAt, now)}, from ${base}`],
    ['ports', `from ${portBase}`],
    ['pending', pending.length === 0 ? undefined : `${counted(pending.length, 'change')}: ${some(pending)}`],
    ['unseen', unwatched.length === 0 ? undefined : `${some(unwatched)}: \`pal worktree sync\` brings them in`],
    ['conflicts', conflicts.length === 0 ? undefined : some(conflicts.map(({ id, path: at }) => `${id} ${at}`))],
    ['differs', shared.length === 0 ? undefined : some(shared)],
    ['ignored', shared.length === apart.length ? undefined : counted(apart.length - shared.length, 'file')],
  ];
  return [paint.name(harmless(session)), ...factLines(facts, 9, style)].join('\n');
}

export function worktreeGoneText(
  { removed, checkpoint }: { readonly removed: string; readonly checkpoint: string },
  { paint }: Style,
): string {
  return `removed ${harmless(removed)}\nits last tree is checkpoint ${paint.name(checkpoint)}`;
}

/** Files that could not be merged between a worktree and the workspace. */
export function flowConflictsText(conflicts: readonly FlowConflictJson[], style: Style): string {
  const { paint } = style;
  const each = conflicts.map(({ id, path, session, reason }) =>
    [
      `${paint.bad(id)} ${paint.strong(harmless(path))}`,
      ...factLines(
        [
          ['worktree', harmless(session)],
          ['because', harmless(reason)],
        ],
        9,
        style,
      ),
    ].join('\n'),
  );
  return [
    ...each,
    [
      'as the workspace has it:  pal resolve CONFLICT --take mine',
      'as the worktree has it:   pal resolve CONFLICT --take agent',
      'with a text of your own:  pal resolve CONFLICT --with FILE',
    ].join('\n'),
  ].join('\n\n');
}

const SOME = 5;

function some(names: readonly string[]): string {
  const more = names.length - SOME;
  return `${names.slice(0, SOME).map(harmless).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
