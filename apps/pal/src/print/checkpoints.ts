import type { CheckpointDifferenceJson, CheckpointJson } from '@palimpsest/protocol';
import { counted } from './amount.js';
import { harmless } from './harmless.js';
import { shortList } from './names.js';
import type { Style } from './style.js';
import { type Column, table } from './table.js';
import { ago } from './time.js';

export function checkpointsText(checkpoints: readonly CheckpointJson[], style: Style): string {
  if (checkpoints.length === 0) return `no checkpoints yet: ${style.steps.saveCheckpoint}`;
  const { paint, now } = style;
  const columns: readonly Column<CheckpointJson>[] = [
    { title: 'ID', text: ({ id }) => id, paint: () => paint.name },
    { title: 'WHEN', text: ({ at }) => ago(at, now), paint: () => paint.quiet },
    { title: 'REASON', text: ({ reason }) => reason },
    { title: 'FILES', align: 'right', text: ({ files, incomplete }) => `${files}${incomplete ? ', incomplete' : ''}` },
    { title: 'SESSION', yields: true, text: ({ session = '' }) => harmless(session) },
    { title: 'MESSAGE', yields: true, text: ({ message = '' }) => harmless(message) },
  ];
  return table(columns, checkpoints, style);
}

export function checkpointText(verb: string, checkpoint: CheckpointJson, style: Style): string {
  const message = checkpoint.message === undefined ? '' : `  ${harmless(checkpoint.message)}`;
  const loan = checkpoint.onLoan === true ? `\n${style.paint.careful(ON_LOAN)}` : '';
  const incomplete = checkpoint.incomplete ? style.paint.careful(', incomplete') : '';
  return `${verb} ${style.paint.name(checkpoint.id)}${message}  ${style.paint.quiet(counted(checkpoint.files, 'file'))}${incomplete}${loan}`;
}

const ON_LOAN =
  'its files are still being copied out of your git repository; until then it can be restored only while that is there';

export function differencesText(files: readonly CheckpointDifferenceJson[], style: Style): string {
  if (files.length === 0) return 'no differences';
  return files
    .map(({ kind, path, fromPath, added, removed, binary }) => {
      const name = fromPath === undefined ? harmless(path) : `${harmless(fromPath)} → ${harmless(path)}`;
      const lines = binary ? 'binary' : added === undefined ? '' : `+${added} −${removed}`;
      return `${LETTERS[kind]} ${name}  ${style.paint.quiet(lines)}`.trimEnd();
    })
    .join('\n');
}

const LETTERS = { create: 'A', modify: 'M', delete: 'D', rename: 'R' } as const;

export type RestoreJson = {
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  readonly yours?: readonly string[];
  readonly conflicts: readonly { readonly path: string; readonly reason: string }[];
  readonly left: readonly { readonly path: string }[];
  readonly uncovered: readonly { readonly path: string; readonly reason: string }[];
  readonly incomplete: boolean;
  readonly conversation?:
    | { readonly session: string; readonly messages: number; readonly agent?: string | undefined }
    | undefined;
  readonly fork?: { readonly session: string; readonly resume: string; readonly back: string } | undefined;
};

/** What a restore did, or would do; `first` says which. */
export function restoreText(
  first: string,
  what: RestoreJson,
  how: 'done' | 'dry-run',
  next: string | null,
  style: Style,
): string {
  const [write, remove] = how === 'done' ? ['written', 'removed'] : ['write', 'remove'];
  const names = (title: string, paths: readonly string[]) =>
    paths.length === 0 ? [] : [`  ${title}`, ...shortList(paths).map((path) => `    ${path}`)];
  return [
    first,
    ...names(write, what.written),
    ...names(remove, what.deleted),
    ...names(
      'yours: what people or unknown hands did in these would go\n  (the rescue checkpoint keeps it)',
      what.yours ?? [],
    ),
    ...names(
      'left as they are: ignored, and only people changed them\n  (name them with --paths to bring them back too)',
      what.left.map(({ path }) => path),
    ),
    ...what.conflicts.map(({ path, reason }) =>
      style.paint.bad(`  conflict  ${harmless(path)}: ${OBSTACLES[reason] ?? harmless(reason)}; left as it is`),
    ),
    ...(what.incomplete ? [style.paint.careful(incompleteText(what.uncovered))] : []),
    ...(what.uncovered.length === 0
      ? []
      : [style.paint.quiet(`  not covered, and not touched: ${what.uncovered.length}`)]),
    ...conversationText(what, how),
    ...(next === null ? [] : [style.paint.quiet(next)]),
  ].join('\n');
}

/** Where an agent's conversation goes on, or what would become of one. */
function conversationText({ conversation, fork }: RestoreJson, how: 'done' | 'dry-run'): readonly string[] {
  if (fork !== undefined)
    return [
      '  the conversation goes on from there with',
      `    ${harmless(fork.resume)}`,
      '  and the old one stays as it is',
      `    ${harmless(fork.back)}`,
    ];
  if (conversation === undefined) return [];
  const since = counted(conversation.messages, 'message');
  if (conversation.agent !== undefined)
    return [`  a new session of ${harmless(conversation.agent)} without ${since}; the old one stays`];
  return [`  the conversation ${how === 'done' ? 'went' : 'goes'} back by ${since}; what was said stays readable`];
}

/** Why a file stays as it is. Others say it themselves. */
const OBSTACLES: Readonly<Record<string, string>> = {
  overlap: 'people changed the same lines since',
  'name-taken': 'another file has its former name',
  'too-large': 'what it holds now is too large to be kept',
  'bytes-gone': 'what it held then was forgotten, or is damaged',
};

function incompleteText(uncovered: RestoreJson['uncovered']): string {
  const unread = uncovered.filter(({ reason }) => reason === 'unread').map(({ path }) => path);
  if (unread.length === 0) return '  incomplete: the checkpoint was saved before it was known which files there are';
  return [
    '  incomplete: what these held was gone before it could be read',
    ...shortList(unread).map((path) => `    ${path}`),
  ].join('\n');
}
