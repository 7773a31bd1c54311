import type { ChangeJson } from '@palimpsest/protocol';
import { counted } from './amount.js';
import { harmless } from './harmless.js';
import type { Paint } from './paint.js';
import type { Style } from './style.js';
import { type Column, table } from './table.js';
import { ago } from './time.js';

const LETTERS = { create: 'A', modify: 'M', delete: 'D', rename: 'R' } as const satisfies Record<
  ChangeJson['kind'],
  string
>;

/** One line per change: what, where, how much, by whom, how we know, and how it stands. */
export function changesText(changes: readonly ChangeJson[], style: Style): string {
  const { paint, now } = style;
  const quiet = () => paint.quiet;
  const columns: readonly Column<ChangeJson>[] = [
    { title: 'ID', text: ({ id }) => id, paint: () => paint.name },
    { title: '', text: ({ kind }) => LETTERS[kind], paint: ({ kind }) => paintOfKind(kind, paint) },
    { title: 'PATH', yields: true, text: pathsText },
    { title: 'LINES', text: linesText, paint: quiet },
    { title: 'BY', yields: true, text: authorText },
    { title: 'EVIDENCE', drops: 2, text: ({ evidence }) => evidence, paint: quiet },
    { title: 'STATUS', text: ({ status }) => status, paint: ({ status }) => paintOfStatus(status, paint) },
    { title: 'WHEN', drops: 1, text: ({ at }) => ago(at, now), paint: quiet },
  ];
  return table(columns, changes, style);
}

type Candidates = NonNullable<ChangeJson['candidates']>;

/** Whom it may be from: `claude?`, or `claude or run?`. Several calls of one session count once, two of a kind as two. */
export function candidatesText(candidates: Candidates): string {
  const agents = new Map(candidates.map(({ session, agent = session }) => [session, agent]));
  return `${[...agents.values()].map(harmless).join(' or ')}?`;
}

/** The same by session, as it has to be named to give the change to one of them. */
function sessionsText(candidates: Candidates): string {
  return `${[...new Set(candidates.map(({ session }) => harmless(session)))].join(' or ')}?`;
}

/** What a command may have changed, and others as well. */
function perhapsSummary(perhaps: readonly ChangeJson[], style: Style): readonly string[] {
  if (perhaps.length === 0) return [];
  const shown = perhaps.slice(0, SUMMARY_LIMIT);
  const more = perhaps.length - shown.length;
  return [
    `${counted(perhaps.length, 'change')} may be its own or another’s:`,
    ...shown.map((change) => {
      const letter = paintOfKind(change.kind, style.paint)(LETTERS[change.kind]);
      const facts = `${linesText(change)}  ${change.id}  ${sessionsText(change.candidates ?? [])}`;
      return `  ${letter} ${pathsText(change)} ${style.paint.quiet(facts)}`;
    }),
    ...(more > 0 ? [`  … and ${more} more: \`pal changes\` shows all`] : []),
    '  → `pal attribute CHANGE SESSION` says whose one is',
  ];
}

/** A shorter list for the end of a command that made the changes. */
export function changesSummary(
  changes: readonly ChangeJson[],
  style: Style,
  perhaps: readonly ChangeJson[] = [],
): string {
  if (perhaps.length > 0) {
    const own = changes.length === 0 ? [] : [changesSummary(changes, style)];
    return [...own, ...perhapsSummary(perhaps, style)].join('\n');
  }
  if (changes.length === 0) return 'nothing changed';
  const lines = changes.slice(0, SUMMARY_LIMIT).map((change) => {
    const letter = paintOfKind(change.kind, style.paint)(LETTERS[change.kind]);
    return `  ${letter} ${pathsText(change)} ${style.paint.quiet(`${linesText(change)}  ${change.id}`)}`;
  });
  const more = changes.length - lines.length;
  return [
    `${counted(changes.length, 'change')}:`,
    ...lines,
    ...(more > 0 ? [`  … and ${more} more: \`pal changes\` shows all`] : []),
  ].join('\n');
}

export function pathsText({ path, fromPath }: ChangeJson): string {
  return fromPath === undefined ? harmless(path) : `${harmless(fromPath)} → ${harmless(path)}`;
}

export function authorText({ author, cause, candidates = [] }: ChangeJson): string {
  const because = cause === undefined ? '' : ` (${harmless(cause)})`;
  if (candidates.length > 0) return `${candidatesText(candidates)}${because}`;
  if (author.kind !== 'agent') return `${author.kind}${because}`;
  return `${handText(author)}${because}`;
}

type Hand = Pick<ChangeJson['author'], 'agent' | 'tool'>;

export function handText({ agent = NAMELESS, tool = '?' }: Hand): string {
  return `${agent === NAMELESS ? 'agent' : harmless(agent)} · ${harmless(tool)}`;
}

export function linesText({ added, removed, binary, incomplete }: ChangeJson): string {
  if (incomplete) return 'incomplete';
  return binary ? 'binary' : `+${added} −${removed}`;
}

export function paintOfStatus(status: ChangeJson['status'], paint: Paint): (text: string) => string {
  switch (status) {
    case 'pending':
      return paint.careful;
    case 'accepted':
      return paint.good;
    case 'rejected':
      return paint.quiet;
    case 'conflict':
      return paint.bad;
  }
}

const SUMMARY_LIMIT = 20;
/** What the engine calls an agent that did not say its name; to a person that would read as an unknown author. */
const NAMELESS = 'unknown';

function paintOfKind(kind: ChangeJson['kind'], paint: Paint): (text: string) => string {
  switch (kind) {
    case 'create':
      return paint.added;
    case 'delete':
      return paint.removed;
    case 'modify':
    case 'rename':
      return paint.careful;
  }
}
