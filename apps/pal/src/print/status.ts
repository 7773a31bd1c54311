import type { StatusAnswer } from '@palimpsest/protocol';
import { bytes, counted } from './amount.js';
import { type Fact, factLines } from './facts.js';
import { harmless } from './harmless.js';
import { sessionsText } from './sessions.js';
import { paintOfState } from './stale.js';
import type { Style } from './style.js';
import { shorten } from './width.js';

/** How much of a long list is shown; `--json` has all of it. */
const LIST_LIMIT = 8;

export function statusText(status: StatusAnswer, style: Style): string {
  const { paint } = style;
  const { workspace, daemon, pending, conflicts, coverage, store } = status;
  const waiting = `${counted(pending.changes, 'change')} pending${pending.changes === 0 ? '' : ` in ${counted(pending.files, 'file')}, ${counted(pending.hunks, 'hunk')}`}`;
  const facts: readonly Fact[] = [
    ['daemon', `process ${daemon.pid}, version ${daemon.version}`],
    [
      'review',
      `${pending.changes === 0 ? waiting : paint.careful(waiting)}, ${conflicts === 0 ? 'no conflicts' : paint.bad(counted(conflicts, 'conflict'))}`,
    ],
    ['', undecidedHands(status, style)],
    [
      'covered',
      `${counted(coverage.files, 'file')}${stockText(status)}${status.watching === 'scanning' ? ', by scanning' : ''}`,
    ],
    [
      'store',
      `${bytes(store.bytes)}, ${counted(store.checkpoints, 'checkpoint')}, ${counted(status.seq, 'operation')}${store.onLoan ? ', still reading from git' : ''}`,
    ],
  ];
  const head = `${paint.strong(harmless(workspace.root))} ${paint.quiet(workspace.git ? '(git)' : '(no git)')}`;
  const blocks = [
    [head, ...factLines(facts, 9, style)].join('\n'),
    sessionsBlock(status, style),
    block(
      'Stale',
      status.stale,
      ({ state, path, session }) =>
        `${paintOfState(state, paint)(state.padEnd(8))} ${harmless(path)} ${paint.quiet(`for ${fitted(harmless(session), style)}`)}`,
      style,
      0,
    ),
    block(
      'Changed by two at once',
      status.radar,
      ({ path, sessions }) => `${harmless(path)} ${paint.quiet(`by ${sessions.map(harmless).join(' and ')}`)}`,
      style,
      0,
    ),
    block(
      'Ended, and may still write',
      status.lingering,
      ({ tool, callId, session }) => `${harmless(tool)} ${harmless(callId)} ${paint.quiet(`of ${harmless(session)}`)}`,
      style,
      0,
    ),
    block(
      'Not covered',
      coverage.uncovered,
      ({ path, reason }) => `${harmless(path)} ${paint.quiet(`(${reason})`)}`,
      style,
      coverage.beyond,
    ),
    block('To know', status.remarks, (remark) => paint.careful(harmless(remark)), style, 0),
  ];
  return blocks.filter((text) => text !== '').join('\n\n');
}

/** What is pending and no session's own: one of several may have made it. */
function undecidedHands({ pending, sessions }: StatusAnswer, style: Style): string | undefined {
  const owned = sessions.reduce((sum, session) => sum + session.pending, 0);
  const rest = pending.changes - owned;
  if (rest <= 0) return undefined;
  return `${rest} of them by an unknown hand: ${style.steps.nameCandidates}`;
}

const NAME_WIDTH = 13;

/** A session's id is long, and on a terminal its ends tell it from the others. */
function fitted(name: string, { width }: Style): string {
  return width === null ? name : shorten(name, NAME_WIDTH);
}

function stockText({ takingStock, incomplete, coverage }: StatusAnswer): string {
  if (takingStock) return `, still taking stock${coverage.unread === 0 ? '' : ` (${coverage.unread} to read)`}`;
  return incomplete ? `, incomplete: ${coverage.unread} could not be read` : '';
}

function sessionsBlock(status: StatusAnswer, style: Style): string {
  const active = status.sessions.filter(({ state }) => state === 'active');
  const waiting = status.sessions.filter(({ state, pending }) => state === 'ended' && pending > 0);
  if (active.length + waiting.length === 0) return '';
  const narrower = { ...style, width: style.width === null ? null : style.width - 2 };
  const left = waiting.reduce((sum, { pending }) => sum + pending, 0);
  return [
    style.paint.strong('Sessions'),
    ...(active.length === 0 ? [] : [sessionsText(active, narrower).replace(/^/gm, '  ')]),
    ...(waiting.length === 0
      ? []
      : [
          `  ${counted(waiting.length, 'ended session')} with ${counted(left, 'change')} to review: ${style.steps.listSessions}`,
        ]),
  ].join('\n');
}

function block<T>(
  title: string,
  items: readonly T[],
  line: (item: T) => string,
  { paint }: Style,
  beyond: number,
): string {
  if (items.length === 0) return '';
  const more = items.length - LIST_LIMIT + beyond;
  const rest = more > 0 ? [`  ${paint.quiet(`… and ${more} more`)}`] : [];
  return [paint.strong(title), ...items.slice(0, LIST_LIMIT).map((item) => `  ${line(item)}`), ...rest].join('\n');
}
